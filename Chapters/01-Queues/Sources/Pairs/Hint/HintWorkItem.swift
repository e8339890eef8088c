import Dispatch

extension Cancellable {
  // Sendable because `hint` is read and written on `queue` only.
  final class Hint: @unchecked Sendable {
    private let queue: DispatchQueue
    private let show: @Sendable () -> Void
    private var hint: DispatchWorkItem?

    init(on queue: DispatchQueue, show: @escaping @Sendable () -> Void) {
      self.queue = queue
      self.show = show
    }

    /// Call it on the queue.
    func screenAppears(hintAfter delay: DispatchTimeInterval) {
      dispatchPrecondition(condition: .onQueue(queue))
      self.hint?.cancel()
      let hint = DispatchWorkItem { [show] in show() }
      self.hint = hint
      queue.asyncAfter(deadline: .now() + delay, execute: hint)
    }

    /// Call it on the queue. A hint that has not begun never will.
    func screenDisappears() {
      dispatchPrecondition(condition: .onQueue(queue))
      hint?.cancel()
    }
  }
}
