@testable import ControlledDispatch

extension BlockingProgram {
  enum Step: Hashable, Sendable {
    case say, hear, add
    case enter(Int)
    case leave(Int)
    case wait(Int)
    case waitUntil(Int, Int)
    case notify(Int, Queue)
    case member(Int, Queue, Body)
    case addOperation(Int)
    case barrierOperation
    case cancelOperation(Int)
    case cancelAll
    case ask(Int)
    case depend(Int, Int)
    case removeDependency(Int, Int)
    case prioritise(Int, Operation.QueuePriority)
    case waitForOperation(Int)
    case drain
    case suspendOperations
    case resumeOperations
    case widen(Int)
    case async(Queue, Body)
    case sync(Queue, Body)
    case barrier(Queue, Body)
    case syncBarrier(Queue, Body)
    case suspend(Queue)
    case resume(Queue)
    case submit(Int, Queue)
    case performItem(Int)
    case cancelItem(Int)
    case waitForItem(Int)
    case waitForItemUntil(Int, Int)
    case notifyOfItem(Int, Queue)
    case signal
    case take
    case takeUntil(Int)
    case sleep(Int)
    case after(Int, Queue, Body)
  }
}

extension BlockingProgram.Step {
  /// What an item does that the step submits, if it submits one of its own.
  var body: BlockingProgram.Body? {
    switch self {
    case .member(_, _, let body), .async(_, let body), .sync(_, let body), .barrier(_, let body),
      .syncBarrier(_, let body), .after(_, _, let body):
      body
    default: nil
    }
  }

  var usesTime: Bool {
    switch self {
    case .waitUntil, .waitForItemUntil, .takeUntil, .sleep, .after: true
    default: false
    }
  }
}
