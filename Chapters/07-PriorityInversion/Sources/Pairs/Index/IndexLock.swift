import Foundation

extension Locked {
  /// A search index behind an `NSLock`, which has an owner and does not raise it.
  final class Index: @unchecked Sendable {
    // `found` is used under the lock only, which makes it safe to share.
    private var found: [String] = []
    private let lock = NSLock()

    func add(_ photo: String) {
      lock.withLock { found.append(photo) }
    }

    var photos: [String] { lock.withLock { found } }
  }
}
