import Dispatch

/// Adds up what several workers have done, and tells of it on one queue.
///
/// Its known bug: it counts the events, but a source merges what comes before its handler has run.
extension Wrong {
  final class ProgressMerger: @unchecked Sendable {
    // Sendable: `completed` is used on `queue` only.
    private let queue = DispatchQueue(label: "progress")
    private let source: any DispatchSourceUserDataAdd
    private var completed: UInt = 0

    init() {
      source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler { [weak self] in self?.completed += 1 }
      source.activate()
    }

    deinit { source.cancel() }

    func step() { source.add(data: 1) }

    var count: UInt { queue.sync { completed } }
  }
}

extension Right {
  final class ProgressMerger: @unchecked Sendable {
    // Sendable: `completed` is used on `queue` only.
    private let queue = DispatchQueue(label: "progress")
    private let source: any DispatchSourceUserDataAdd
    private var completed: UInt = 0

    init() {
      source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler { [weak self] in
        guard let self else { return }
        completed += source.data
      }
      source.activate()
    }

    deinit { source.cancel() }

    func step() { source.add(data: 1) }

    var count: UInt { queue.sync { completed } }
  }
}
