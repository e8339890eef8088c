import Dispatch

extension Sourced {
  /// Remembers what has to be drawn again until a window takes it, which it may do on any thread but the queue's.
  // Sendable because `dirty` is used on `queue` only.
  final class Redraw: @unchecked Sendable {
    private let queue = DispatchQueue(label: "redraw")
    private let source: any DispatchSourceUserDataOr
    private var dirty: Parts = []

    /// - Parameter whenDirty: Called on the queue when there is something to draw.
    init(whenDirty: @escaping @Sendable () -> Void) {
      source = DispatchSource.makeUserDataOrSource(queue: queue)
      source.setEventHandler { [weak self] in
        self?.add()
        whenDirty()
      }
      source.activate()
    }

    deinit { source.cancel() }

    func mark(_ parts: Parts) { source.or(data: parts.rawValue) }

    /// Gives what is dirty, and forgets it.
    func take() -> Parts {
      queue.sync {
        defer { dirty = [] }
        return dirty
      }
    }

    private func add() { dirty = dirty.union(Parts(rawValue: source.data)) }
  }
}
