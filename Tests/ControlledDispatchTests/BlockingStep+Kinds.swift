import Interleaving

@testable import ControlledDispatch

extension BlockingProgram.Step {
  enum Kind: CaseIterable {
    case say, hear, add
    case enter, leave, wait, waitUntil, notify, member
    case addOperation, barrierOperation, cancelOperation, cancelAll, ask, depend, removeDependency,
      prioritise, waitForOperation, drain, suspendOperations, resumeOperations, widen
    case async, sync, barrier, syncBarrier, suspend, resume
    case submit, performItem, cancelItem, waitForItem, waitForItemUntil, notifyOfItem
    case signal, take, takeUntil
    case sleep, after

    static let ofOperations: [Kind] = [
      .addOperation, .barrierOperation, .cancelOperation, .cancelAll, .ask, .depend,
      .removeDependency, .prioritise, .waitForOperation, .drain, .suspendOperations,
      .resumeOperations, .widen,
    ]

    static func of(_ theme: BlockingProgram.Theme) -> [Kind] {
      switch theme {
      case .groups: [.enter, .enter, .leave, .leave, .wait, .waitUntil, .notify, .member, .hear]
      case .operations: ofOperations + [.addOperation, .drain, .prioritise, .hear]
      case .queues:
        [.async, .sync, .barrier, .syncBarrier, .suspend, .resume, .signal, .take, .hear, .add]
      case .semaphores: [.signal, .signal, .take, .take, .takeUntil, .hear, .sync, .add]
      case .items:
        [
          .submit, .submit, .performItem, .cancelItem, .waitForItem, .waitForItemUntil,
          .notifyOfItem, .sync, .hear,
        ]
      case .deadlines:
        [
          .waitUntil, .takeUntil, .waitForItemUntil, .sleep, .after, .enter, .leave, .signal,
          .submit,
        ]
      case .everything: allCases
      }
    }
  }

  init(_ kind: Kind, _ bodies: [BlockingProgram.Body], using generator: inout SplitMix64) {
    func pick(_ count: Int = 2) -> Int { Int.random(in: 0..<count, using: &generator) }
    func queue() -> BlockingProgram.Queue {
      BlockingProgram.Queue.allCases.randomElement(using: &generator)!
    }
    func body() -> BlockingProgram.Body { bodies.randomElement(using: &generator)! }
    // Most often the same moment.
    func time() -> Int { [5, 5, 5, 7].randomElement(using: &generator)! }
    // Most often the first.
    let group = pick(4) == 0 ? 1 : 0
    switch kind {
    case .say: self = .say
    case .hear: self = .hear
    case .add: self = .add
    case .enter: self = .enter(group)
    case .leave: self = .leave(group)
    case .wait: self = .wait(group)
    case .waitUntil: self = .waitUntil(group, time())
    case .notify: self = .notify(group, queue())
    case .member: self = .member(group, queue(), body())
    case .addOperation: self = .addOperation(pick(3))
    case .barrierOperation: self = .barrierOperation
    case .cancelOperation: self = .cancelOperation(pick(3))
    case .cancelAll: self = .cancelAll
    case .ask: self = .ask(pick())
    case .depend: self = .depend(pick(3), pick(3))
    case .removeDependency: self = .removeDependency(pick(), pick())
    case .prioritise: self = .prioritise(pick(3), pick() == 0 ? .high : .low)
    case .waitForOperation: self = .waitForOperation(pick(3))
    case .drain: self = .drain
    case .suspendOperations: self = .suspendOperations
    case .resumeOperations: self = .resumeOperations
    case .widen: self = .widen(1 + pick())
    case .async: self = .async(queue(), body())
    case .sync: self = .sync(queue(), body())
    case .barrier: self = .barrier(queue(), body())
    case .syncBarrier: self = .syncBarrier(queue(), body())
    case .suspend: self = .suspend(queue())
    case .resume: self = .resume(queue())
    case .submit: self = .submit(pick(), queue())
    case .performItem: self = .performItem(pick())
    case .cancelItem: self = .cancelItem(pick())
    case .waitForItem: self = .waitForItem(pick())
    case .waitForItemUntil: self = .waitForItemUntil(pick(), time())
    case .notifyOfItem: self = .notifyOfItem(pick(), queue())
    case .signal: self = .signal
    case .take: self = .take
    case .takeUntil: self = .takeUntil(time())
    case .sleep: self = .sleep(time())
    case .after: self = .after(time(), queue(), body())
    }
  }
}
