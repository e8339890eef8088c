import Dispatch

extension Counted {
  /// A search index behind a semaphore: whoever waits cannot tell for whom.
  final class Index: @unchecked Sendable {
    // `found` is used between wait and signal only, which makes it safe to share.
    private var found: [String] = []
    private let turn = DispatchSemaphore(value: 1)

    func add(_ photo: String) {
      turn.wait()
      defer { turn.signal() }
      found.append(photo)
    }

    var photos: [String] {
      turn.wait()
      defer { turn.signal() }
      return found
    }
  }
}
