import Interleaving

extension Operation {
  var control: Control { Control.current(for: "Operation") }

  func use(_ action: Action, of object: ObjectIdentity) -> VisibleOperation.Use {
    let initial: ObjectState =
      object === holds ? .holds(Holds()) : object === news ? .count(0) : .variable
    return .init(action, object(control), initially: initial)
  }

  func perform(
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
    control.name(news(control), kind: "a change of isReady of", label: title)
    for event in [end, departure] {
      control.name(event(control), kind: "the end of", label: title)
    }
    record.title = title
    return title
  }

  /// Says that it is changed.
  ///
  /// - Returns: Whether it has not begun.
  func canBeChanged(_ verb: String) -> Bool {
    perform([use(.update, of: lifecycle)], verb)
    return record(control).phase <= .queued
  }

  // MARK: For queues

  func isIdle(_ control: Control) -> Bool { record(control).phase == .idle }
  func strand(_ control: Control) -> StrandID? { record(control).strand }
  func endEvent(_ control: Control) -> ObjectID { end(control) }
  func departureEvent(_ control: Control) -> ObjectID { departure(control) }
  func turnEvent(_ control: Control) -> ObjectID { turn(control) }

  /// Whom it waits for in a queue of limited width; itself, if it is to say that it is ready.
  func blockers(_ control: Control) -> [Operation] {
    let record = record(control)
    return (record.isCancelled ? [] : record.blockers) + (record.isAsked ? [self] : [])
  }

  /// Its priority in a queue.
  ///
  /// - Parameter isSerial: Whether the queue runs one at a time; else quality of service counts where no priority was given.
  func rank(isSerial: Bool) -> Int {
    if let priority { return priority.rawValue }
    switch isSerial ? nil : quality {
    case .userInteractive: return QueuePriority.veryHigh.rawValue
    case .userInitiated: return QueuePriority.high.rawValue
    case .utility: return QueuePriority.low.rawValue
    case .background: return QueuePriority.veryLow.rawValue
    default: return QueuePriority.normal.rawValue
    }
  }

  /// What being queued uses of it, after it was asked whether it is ready.
  ///
  /// - Parameter isLimited: Whether the queue must know then what it depends on.
  func usesOfQueueing(isLimited: Bool) -> [VisibleOperation.Use] {
    let record = record(control)
    record.isAsked = record.isAsked || mustBeAsked(record)
    return [use(.store, of: lifecycle)] + (isLimited ? [use(.load, of: holds)] : [])
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
    let underlying = queue.dispatchQueue(control)
    record.strand =
      control.begin(title) { [self] in
        if record.isAsked { waitUntilReady(in: queue, record, control) }
        let beginning = VisibleOperation(
          [use(.update, of: lifecycle)]
            + (waitsForDependencies ? [use(.proceed, of: holds)] : []) + uses,
          after: events)
        if let underlying {
          underlying.run(when: beginning) { run(in: queue, record, control) }
        } else {
          control.perform(beginning, "begins \(title)")
          run(in: queue, record, control)
        }
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
    if !record.isStartedByDefault { finishIfSo(for: "OperationQueue") }
    guard record.phase < .finished else { return }
    // It goes on elsewhere; nobody knows who will finish it.
    record.strand = nil
    expectEnd(control)
  }

  func expectEnd(_ control: Control) {
    let strand = record(control).strand
    control.expect(end(control), from: strand)
    control.expect(departure(control), from: strand)
  }

  /// Says whom it waits for: of its dependencies, one that waits for it in turn if there is one.
  func explainWait(_ control: Control) {
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

  /// Ends it, in the step in which it has said that it is finished; then whoever depends on it and its queue learn of it.
  func finish() {
    let control = control
    let record = record(control)
    record.phase = .finished
    let completion = completionBlock
    control.happen(end(control))
    let dependents = record.dependents
    record.dependents = []
    let queue = record.queue
    record.queue = nil
    let closer = end(control)
    var uses = dependents.map { $0.use(.letGo(by: closer), of: $0.holds) }
    if record.isAsked { uses.append(use(.put, of: news)) }
    if let queue { uses.append(queue.useOfLeaving(control)) }
    if let queue, queue.isLimited(control) { uses.append(queue.useOfArranging(control)) }
    if !uses.isEmpty { perform(uses, "ends the waits for") }
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
      other.arrange(control, "ends the waits for", self) { $0.finish(self, control) }
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
