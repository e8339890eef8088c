import Interleaving

import class Foundation.NSObject
import enum Foundation.QualityOfService

/// The stand-in for Foundation's operation: work that runs once, in a queue or where it is started.
open class Operation: NSObject, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  let record = PerExecution { OperationRecord() }
  let lifecycle = ObjectIdentity()
  let holds = ObjectIdentity()
  let end = ObjectIdentity()
  let departure = ObjectIdentity()
  let turn = ObjectIdentity()
  let news = ObjectIdentity()

  /// Which of the operations that are ready a queue of limited width starts first.
  public enum QueuePriority: Int, Sendable {
    case veryLow = -8
    case low = -4
    case normal = 0
    case high = 4
    case veryHigh = 8
  }

  /// A name for people and for reports; a report uses what it is when the operation is first used.
  open var name: String?

  /// Of an operation without a priority of its own, a queue that runs several at a time takes it for one; besides it is
  /// of no effect, as on Linux.
  open var qualityOfService: QualityOfService {
    get { quality ?? .default }
    set { quality = newValue }
  }

  /// What runs, some time after the operation has finished, on a strand of its own.
  open var completionBlock: (@Sendable () -> Void)? {
    get { completion }
    set {
      if Control.current != nil {
        perform([use(.store, of: lifecycle)], "gives a completion to")
      }
      completion = newValue
    }
  }

  private var completion: (@Sendable () -> Void)?
  var quality: QualityOfService?
  var priority: QueuePriority?

  /// Makes an operation.
  public override init() {}

  // MARK: To override

  /// What the operation does.
  open func main() {}

  /// Runs `main`, unless the operation has been cancelled, and finishes, if `isFinished` says so.
  ///
  /// Who starts an operation must know that it is ready, in no queue and not started yet. A
  /// concurrent operation overrides it, and `isAsynchronous`, `isExecuting` and `isFinished`.
  open func start() {
    let control = control
    let record = record(control)
    if record.isBegunByQueue {
      record.isBegunByQueue = false
    } else {
      perform(
        [use(.update, of: lifecycle), use(.load, of: holds)], "starts")
      switch record.phase {
      case .finished: return
      case .executing, .finishing:
        control.trap("starts \(title), which is executing already")
      case .queued: control.trap("starts \(title), which is in a queue: the queue will start it")
      case .idle: break
      }
      guard isReady(given: record.isReady) else {
        control.trap("starts \(title), which is not ready: what it depends on has not finished")
      }
      record.phase = .executing
      record.runsMain = !record.isCancelled
      record.strand = control.strand
      expectEnd(control)
    }
    record.isStartedByDefault = true
    if record.runsMain { main() }
    let saysSo = isFinished(given: true)
    perform([use(.store, of: lifecycle)], "finishes")
    if saysSo {
      // Foundation on Linux finishes once more what has said in `main` that it has.
      finish()
    } else if record.phase != .finished {
      record.phase = .finishing
    }
  }

  /// Whether the operation goes on after `start` has returned.
  open var isAsynchronous: Bool { false }

  /// Whether the operation goes on after `start` has returned: the older name.
  open var isConcurrent: Bool { isAsynchronous }

  /// Whether it has begun and has not finished.
  open var isExecuting: Bool {
    perform([use(.load, of: lifecycle)], "asks for isExecuting of")
    let record = record(control)
    return record.phase == .executing && record.runsMain
  }

  /// Whether it has finished, be it because it was cancelled.
  open var isFinished: Bool {
    let record = record(control)
    if let answer = record.finished[control.strand] { return answer }
    perform([use(.load, of: lifecycle)], "asks for isFinished of")
    return record.phase >= .finishing
  }

  /// Whether it may begin: all that it depends on has finished, or it was cancelled.
  ///
  /// Who overrides it asks `super`, too, and posts its changes.
  open var isReady: Bool {
    let record = record(control)
    if let answer = record.ready[control.strand] { return answer }
    perform([use(.load, of: holds)], "asks for isReady of")
    return record.isReady
  }

  // MARK: Cancelling

  /// Whether it was cancelled before it had finished.
  open var isCancelled: Bool {
    perform([use(.load, of: lifecycle)], "asks for isCancelled of")
    return record(control).isCancelled
  }

  /// Asks it to end: one that has not begun finishes without `main`, whatever it depends on.
  open func cancel() {
    let control = control
    let record = record(control)
    if isFinished(given: false) { return }
    perform(
      [use(.store, of: lifecycle), use(.force, of: holds), use(.put, of: news)], "cancels")
    guard record.phase < .finishing, !record.isCancelled else { return }
    record.isCancelled = true
    guard !record.blockers.isEmpty, let queue = record.queue, queue.isLimited(control) else {
      return
    }
    queue.arrange(control, "lets", self) { $0.force(self, isAsked: record.isAsked) }
  }

  // MARK: Dependencies

  /// What it does not begin before the end of.
  open var dependencies: [Operation] {
    perform([use(.load, of: holds)], "asks for dependencies of")
    return record(control).dependencies
  }

  /// Lets it begin only after another has finished; it must not have begun.
  open func addDependency(_ operation: Operation) {
    let control = control
    let (record, other) = (record(control), operation.record(control))
    let closer = operation.end(control)
    _ = (title, operation.title)
    perform(
      [
        operation.use(.update, of: operation.lifecycle), use(.hold(by: closer), of: holds),
      ], "adds a dependency to")
    if !record.dependencies.contains(where: { $0 === operation }) {
      record.dependencies.append(operation)
    }
    guard other.phase != .finished else {
      perform([use(.letGo(by: closer), of: holds)], "finds a dependency finished of")
      return
    }
    guard !record.blockers.contains(where: { $0 === operation }) else { return }
    record.blockers.append(operation)
    other.dependents.append(self)
    explainWait(control)
    for dependent in record.dependents { dependent.explainWait(control) }
    guard let queue = record.queue, queue.isLimited(control) else { return }
    // Of the two that may be at work on the queue, the other's end is looked at again.
    queue.arrange(
      control, "holds back", self, [operation.use(.load, of: operation.lifecycle)]
    ) { slots in
      if other.phase != .finished { slots.block(self, by: operation) }
    }
  }

  /// Lets it begin without waiting for another.
  open func removeDependency(_ operation: Operation) {
    let control = control
    let (record, other) = (record(control), operation.record(control))
    perform(
      [
        operation.use(.store, of: operation.lifecycle), use(.store, of: holds),
        use(.letGo(by: operation.end(control)), of: holds),
      ], "removes a dependency from")
    record.dependencies.removeAll { $0 === operation }
    record.blockers.removeAll { $0 === operation }
    other.dependents.removeAll { $0 === self }
    explainWait(control)
    guard let queue = record.queue, queue.isLimited(control) else { return }
    queue.arrange(control, "lets", self) { $0.unblock(self, by: operation) }
  }

  // MARK: In a queue

  /// Which of the operations that are ready a queue of limited width starts first.
  open var queuePriority: QueuePriority {
    get { priority ?? .normal }
    set {
      if Control.current != nil { perform([use(.store, of: lifecycle)], "gives a priority to") }
      priority = newValue
      guard let control = Control.current else { return }
      guard let queue = record(control).queue, queue.isLimited(control) else { return }
      queue.arrange(control, "moves", self) { $0.move(self, to: newValue.rawValue) }
    }
  }

  /// Waits until it has finished.
  open func waitUntilFinished() {
    let (control, title) = (control, title)
    if isFinished(given: false) { return }
    control.perform(
      VisibleOperation([], after: [endEvent(control)]), "waits for \(title)")
  }

  // MARK: Notifications

  /// Says that a property is about to change.
  public func willChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {}

  /// Says that a property has changed; a concurrent operation must say so of `isFinished`, and who overrides `isReady`
  /// of that.
  public func didChangeValue<Value>(for keyPath: KeyPath<Operation, Value>) {
    switch keyPath {
    case \Operation.isFinished: finishIfSo()
    case \Operation.isReady: tellThatReadinessHasChanged()
    default: break
    }
  }

  /// Says that a property is about to change.
  public func willChangeValue(forKey key: String) {}

  /// Says that a property has changed; a concurrent operation must say so of `isFinished`, and who overrides `isReady`
  /// of that.
  public func didChangeValue(forKey key: String) {
    switch key {
    case "isFinished", "finished": finishIfSo()
    case "isReady", "ready": tellThatReadinessHasChanged()
    default: break
    }
  }
}

extension Operation {
  @available(*, unavailable, message: "Foundation on Linux has no key-value observing")
  public func observe<Value>(
    _ keyPath: KeyPath<Operation, Value>, changeHandler: @escaping (Operation, Value) -> Void
  ) {}
}
