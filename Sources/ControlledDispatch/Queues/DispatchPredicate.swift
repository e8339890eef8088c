import Interleaving

/// What `dispatchPrecondition` asks about the queue on which the caller runs.
public enum DispatchPredicate: Sendable {
  case onQueue(DispatchQueue)
  case onQueueAsBarrier(DispatchQueue)
  case notOnQueue(DispatchQueue)
}

/// Ends the schedule with a trap if the caller runs elsewhere than it should.
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {
  let control = Control.current(for: "dispatchPrecondition")
  let context = StrandContext.current(control)
  switch condition() {
  case .onQueue(let queue) where !context.runs(on: queue):
    control.trap("runs elsewhere than on queue \(queue.label), on which it should")
  case .onQueueAsBarrier(let queue) where !context.owns(queue):
    control.trap("runs elsewhere than as a barrier on queue \(queue.label), as which it should")
  case .notOnQueue(let queue) where context.runs(on: queue):
    control.trap("runs on queue \(queue.label), on which it should not")
  default: break
  }
}
