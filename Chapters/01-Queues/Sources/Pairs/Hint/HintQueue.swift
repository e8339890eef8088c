import Dispatch

extension Queued {
  // Sendable because `isVisible` is read and written on `queue` only.
  final class Hint: @unchecked Sendable {
    private let queue: DispatchQueue
    private let show: @Sendable (_ isScreenVisible: Bool) -> Void
    private var isVisible = false

    init(
      on queue: DispatchQueue, show: @escaping @Sendable (_ isScreenVisible: Bool) -> Void
    ) {
      self.queue = queue
      self.show = show
    }

    /// Call it on the queue.
    func screenAppears(hintAfter delay: DispatchTimeInterval) {
      dispatchPrecondition(condition: .onQueue(queue))
      isVisible = true
      queue.asyncAfter(deadline: .now() + delay) {
        self.show(self.isVisible)
      }
    }

    /// Call it on the queue. The block is on its way, so all that is left is to tell it.
    func screenDisappears() {
      dispatchPrecondition(condition: .onQueue(queue))
      isVisible = false
    }
  }
}
