import Dispatch

extension OnGlobalQueue {
  // Sendable is false on purpose: all share the global queue, so it takes no notice of a barrier. It runs under the
  // explorer only.
  final class UsageMeter: @unchecked Sendable {
    private let queue = DispatchQueue.global()
    private var photos = 0
    private var bytes = 0

    /// Returns at once, and calls `done` when the photo is counted.
    func add(bytes count: Int, done: @escaping @Sendable () -> Void) {
      queue.async(flags: .barrier) {
        self.photos += 1
        self.bytes += count
        done()
      }
    }

    var usage: Usage { queue.sync { Usage(photos: photos, bytes: bytes) } }
  }
}
