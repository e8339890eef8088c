import Dispatch

extension Queued {
  // Sendable because `isVisible` is read and written on `queue` only.
  final class Hint: @unchecked Sendable {
    private let queue: DispatchQueue
    private let show: @Sendable () -> Void
    private var isVisible = false

    init(on queue: DispatchQueue, show: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.show = show
    }

    /// Call it on the queue.
    func screenAppears(hintAfter delay: DispatchTimeInterval) {
      dispatchPrecondition(condition: .onQueue(queue))
      isVisible = true
      queue.asyncAfter(deadline: .now() + delay) {
        if self.isVisible { self.show() }
      }
    }

    /// Call it on the queue. The block is on its way, and finds out when it runs.
    func screenDisappears() {
      dispatchPrecondition(condition: .onQueue(queue))
      isVisible = false
    }
  }
}
