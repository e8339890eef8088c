import Dispatch

extension Queued {
  /// A search index on a serial queue; who calls `sync` runs on its own thread while it is its turn.
  final class Index: @unchecked Sendable {
    // `found` is used on the queue only, which makes it safe to share.
    private var found: [String] = []
    private let queue = DispatchQueue(label: "index")

    func add(_ photo: String) {
      queue.sync { found.append(photo) }
    }

    var photos: [String] { queue.sync { found } }
  }
}
