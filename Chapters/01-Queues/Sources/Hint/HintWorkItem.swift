import Dispatch

// Sendable because `hint` is read and written on `queue` only.
public final class HintWorkItem: @unchecked Sendable {
  private let queue: DispatchQueue
  private let show: @Sendable () -> Void
  private var hint: DispatchWorkItem?

  public init(on queue: DispatchQueue, show: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.show = show
  }

  /// Call it on the queue.
  public func screenAppears(hintAfter delay: DispatchTimeInterval) {
    dispatchPrecondition(condition: .onQueue(queue))
    self.hint?.cancel()
    let hint = DispatchWorkItem { [show] in show() }
    self.hint = hint
    queue.asyncAfter(deadline: .now() + delay, execute: hint)
  }

  /// Call it on the queue. A hint that has not begun never will.
  public func screenDisappears() {
    dispatchPrecondition(condition: .onQueue(queue))
    hint?.cancel()
  }
}
