import Interleaving

/// The stand-in for Foundation's operation: work that runs once, in a queue or where it is started.
open class Operation: @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private let record = PerExecution { OperationRecord() }
  private let lifecycle = ObjectIdentity()
  private let holds = ObjectIdentity()
  private let end = ObjectIdentity()
  private let departure = ObjectIdentity()
  private let turn = ObjectIdentity()

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
  private var priority = QueuePriority.normal

  /// Makes an operation.
  public init() {}

  // MARK: To override

  /// What the operation does.
  open func main() {}

  /// Runs `main`, unless the operation has been cancelled, and finishes.
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
      case .executing: control.trap("starts \(title), which is executing already")
      case .queued: control.trap("starts \(title), which is in a queue: the queue will start it")
      case .idle: break
      }
      guard record.isReady else {
        control.trap("starts \(title), which is not ready: what it depends on has not finished")
      }
      record.phase = .executing
      record.runsMain = !record.isCancelled
      record.strand = control.strand
      expectEnd(control)
    }
    if record.runsMain { main() }
    finish()
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
    perform([use(.load, of: lifecycle)], "asks for isFinished of")
    return record(control).phase == .finished
  }

  /// Whether all that it depends on has finished, or it was cancelled.
  public var isReady: Bool {
    perform([use(.load, of: holds)], "asks for isReady of")
    return record(control).isReady
  }

  // MARK: Cancelling

  /// Whether it was cancelled before it had finished.
  public var isCancelled: Bool {
    perform([use(.load, of: lifecycle)], "asks for isCancelled of")
    return record(control).isCancelled
  }

  /// Asks it to end: one that has not begun finishes without `main`, whatever it depends on.
  open func cancel() {
    let control = control
    let record = record(control)
    perform([use(.store, of: lifecycle), use(.force, of: holds)], "cancels")
    guard record.phase != .finished, !record.isCancelled else { return }
    record.isCancelled = true
    guard let queue = record.queue, queue.isLimited(control) else { return }
    queue.arrange(control, "lets", self) { $0.force(self) }
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
    get { priority }
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
    control.perform(
      VisibleOperation([], after: [endEvent(control)]), "waits for \(title)")
  }

  // MARK: Notifications

  /// Says that a property is about to change.
  public func willChangeValue(for keyPath: KeyPath<Operation, Bool>) {}

  /// Says that a property has changed; a concurrent operation must say so of `isFinished`.
  public func didChangeValue(for keyPath: KeyPath<Operation, Bool>) {
    if keyPath == \Operation.isFinished { finishIfSo() }
  }

  /// Says that a property is about to change.
  public func willChangeValue(forKey key: String) {}

  /// Says that a property has changed; a concurrent operation must say so of `isFinished`.
  public func didChangeValue(forKey key: String) {
    if key == "isFinished" || key == "finished" { finishIfSo() }
  }

  private func finishIfSo() { if isFinished { finish() } }
}

/// What an operation is in one execution.
private final class OperationRecord {
  enum Phase { case idle, queued, executing, finished }

  var phase = Phase.idle
  var isCancelled = false
  /// Whether a queue's strand has begun it and `start` has not been called.
  var isBegunByQueue = false
  var runsMain = true
  var dependencies: [Operation] = []
  /// The dependencies that have not finished.
  var blockers: [Operation] = []
  var dependents: [Operation] = []
  var queue: OperationQueue?
  /// The strand that will finish it, if it is known.
  var strand: StrandID?
  var title: String?

  var isReady: Bool { blockers.isEmpty || isCancelled }
}

extension Operation {
  private var control: Control { Control.current(for: "Operation") }

  private func use(_ action: Action, of object: ObjectIdentity) -> VisibleOperation.Use {
    .init(
      action, object(control), initially: object === holds ? .holds(Holds()) : .variable)
  }

  private func perform(
    _ uses: [VisibleOperation.Use], _ verb: @autoclosure () -> String
  ) {
    let title = title
    control.perform(VisibleOperation(uses), "\(verb()) \(title)")
  }

  /// What it is called in a report.
  var title: String {
    let control = control
    let record = record(control)
    if let title = record.title { return title }
    let lifecycle = lifecycle(control)
    control.name(lifecycle, kind: "\(type(of: self))", label: name)
    let title = control.name(of: lifecycle)
    control.name(holds(control), kind: "the dependencies of", label: title)
    control.name(turn(control), kind: "the turn of", label: title)
    for event in [end, departure] {
      control.name(event(control), kind: "the end of", label: title)
    }
    record.title = title
    return title
  }

  /// Says that it is changed.
  ///
  /// - Returns: Whether it has not begun.
  fileprivate func canBeChanged(_ verb: String) -> Bool {
    perform([use(.update, of: lifecycle)], verb)
    let phase = record(control).phase
    return phase == .idle || phase == .queued
  }

  // MARK: For queues

  func isIdle(_ control: Control) -> Bool { record(control).phase == .idle }
  func strand(_ control: Control) -> StrandID? { record(control).strand }
  func endEvent(_ control: Control) -> ObjectID { end(control) }
  func departureEvent(_ control: Control) -> ObjectID { departure(control) }
  func turnEvent(_ control: Control) -> ObjectID { turn(control) }
  func blockers(_ control: Control) -> [Operation] {
    let record = record(control)
    return record.isCancelled ? [] : record.blockers
  }

  /// What being queued uses of it.
  ///
  /// - Parameter isLimited: Whether the queue must know then what it depends on.
  func usesOfQueueing(isLimited: Bool) -> [VisibleOperation.Use] {
    [use(.store, of: lifecycle)] + (isLimited ? [use(.load, of: holds)] : [])
  }

  /// Puts it into a queue, in the step under way; it has been idle.
  ///
  /// - Parameters:
  ///   - events: What must have happened before it begins.
  ///   - uses: What else its beginning uses.
  ///   - waitsForDependencies: Whether it sees to its dependencies itself; else the queue does.
  func enter(
    _ queue: OperationQueue, _ control: Control, after events: [ObjectID],
    using uses: [VisibleOperation.Use], waitsForDependencies: Bool
  ) {
    let record = record(control)
    record.phase = .queued
    record.queue = queue
    record.strand =
      control.begin(title) { [self] in
        control.perform(
          VisibleOperation(
            [use(.update, of: lifecycle)]
              + (waitsForDependencies ? [use(.proceed, of: holds)] : []) + uses,
            after: events), "begins \(title)")
        run(in: queue, record, control)
      }.strand
    expectEnd(control)
    explainWait(control)
    for dependent in record.dependents { dependent.explainWait(control) }
  }

  /// Runs on its own strand.
  private func run(in queue: OperationQueue, _ record: OperationRecord, _ control: Control) {
    guard record.phase == .queued else { return }
    record.phase = .executing
    record.runsMain = !record.isCancelled
    record.isBegunByQueue = true
    queue.isBegun(control)
    start()
    guard record.phase != .finished else { return }
    // It goes on elsewhere; nobody knows who will finish it.
    if isFinished { return finish() }
    record.strand = nil
    expectEnd(control)
  }

  private func expectEnd(_ control: Control) {
    let strand = record(control).strand
    control.expect(end(control), from: strand)
    control.expect(departure(control), from: strand)
  }

  /// Says whom it waits for: of its dependencies, one that waits for it in turn if there is one.
  fileprivate func explainWait(_ control: Control) {
    let record = record(control)
    guard record.phase == .queued else { return }
    let blocker = record.blockers.first { $0.waits(for: self, control) } ?? record.blockers.first
    let strand = blocker.flatMap { $0.record(control).strand }
    control.expect(holds(control), from: strand)
    if blocker != nil { control.expect(turn(control), from: strand) }
  }

  private func waits(for operation: Operation, _ control: Control) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    func search(_ current: Operation) -> Bool {
      guard seen.insert(ObjectIdentifier(current)).inserted else { return false }
      return current.record(control).blockers.contains { $0 === operation || search($0) }
    }
    return search(self)
  }

  /// Ends it: first it is finished, then whoever depends on it and its queue learn of it.
  private func finish() {
    let control = control
    let record = record(control)
    perform([use(.store, of: lifecycle)], "finishes")
    guard record.phase != .finished else { return }
    record.phase = .finished
    let completion = completionBlock
    control.happen(end(control))
    let dependents = record.dependents
    record.dependents = []
    let queue = record.queue
    let closer = end(control)
    var uses = dependents.map { $0.use(.letGo(by: closer), of: $0.holds) }
    if let queue { uses.append(queue.useOfLeaving(control)) }
    if let queue, queue.isLimited(control) { uses.append(queue.useOfArranging(control)) }
    if !uses.isEmpty { perform(uses, "lets go on who waited for") }
    for dependent in dependents {
      dependent.record(control).blockers.removeAll { $0 === self }
      dependent.explainWait(control)
    }
    if let queue {
      queue.leave(self, control)
      if queue.isLimited(control) { queue.rearrange(control) { $0.finish(self, control) } }
    }
    control.happen(departure(control))
    // Only now is it certain which of them are in a queue.
    for other in limitedQueues(of: dependents, control) where other !== queue {
      other.arrange(control, "lets go on who waited for", self) { $0.finish(self, control) }
    }
    if let completion { control.begin("completion of \(title)", completion) }
  }

  private func limitedQueues(of operations: [Operation], _ control: Control) -> [OperationQueue] {
    var queues: [OperationQueue] = []
    for operation in operations {
      if let queue = operation.record(control).queue, queue.isLimited(control),
        !queues.contains(where: { $0 === queue })
      {
        queues.append(queue)
      }
    }
    return queues
  }
}

/// The stand-in for Foundation's operation of one or more blocks.
///
/// Several blocks run beside each other, as its documentation says; Foundation on Linux may run them
/// one after another, which is one of the schedules.
open class BlockOperation: Operation, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private var blocks: [@Sendable () -> Void] = []

  /// Makes an operation without a block.
  public override init() { super.init() }

  /// Makes an operation of one block.
  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    blocks = [block]
  }

  /// The blocks in the order in which they were added.
  open var executionBlocks: [@Sendable () -> Void] { blocks }

  /// Adds a block; the operation must not have begun.
  open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    guard canBeChanged("adds a block to") else {
      Control.current(for: "BlockOperation").trap(
        "adds a block to \(title), which has begun or finished")
    }
    blocks.append(block)
  }

  open override func main() {
    let control = Control.current(for: "BlockOperation")
    guard blocks.count > 1 else {
      blocks.first?()
      return
    }
    let title = title
    let ends = blocks.enumerated().map { control.begin("\(title), block \($0 + 1)", $1).end }
    control.perform(VisibleOperation([], after: ends))
  }
}
