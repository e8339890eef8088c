import Interleaving

import class Foundation.NSObject
import enum Foundation.QualityOfService

/// The stand-in for Foundation's queue of operations.
///
/// Each operation runs on a strand of its own, once it is ready, no barrier keeps it, and the queue is
/// not suspended. In a queue of limited width it also needs a slot: as soon as one is free, the queue
/// gives it to the operation of the highest priority among those that are ready then, and of several
/// to the one that was added first. Without a limit, priorities mean nothing.
///
/// To a queue of limited width it matters what is added before the end of what, unless all that is added is ready, of
/// one priority, and the queue never suspended: then the n-th to finish gives its slot to the same operation,
/// whether that was there already or not.
open class OperationQueue: NSObject, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private let record = PerExecution { QueueRecord() }
  private let additions: ObjectIdentity
  private let members: ObjectIdentity
  private let slots: ObjectIdentity
  private let isMain: Bool
  private let ownName: String?

  /// The width of a queue without a limit.
  public static let defaultMaxConcurrentOperationCount = -1

  /// The queue whose operations run one at a time, as on a main thread that is free for them.
  public static let main = OperationQueue(isMain: true)

  /// Makes a queue without a limit.
  public override init() {
    additions = ObjectIdentity()
    members = ObjectIdentity()
    slots = ObjectIdentity()
    isMain = false
    ownName = nil
  }

  private init(isMain: Bool) {
    additions = ObjectIdentity(outlives: true)
    members = ObjectIdentity(outlives: true)
    slots = ObjectIdentity(outlives: true)
    self.isMain = isMain
    ownName = "main"
  }

  private var givenName: String?
  private var quality: QualityOfService?

  /// A name for people and for reports; a report uses what it is when the queue is first used.
  open var name: String? {
    get { ownName ?? givenName }
    set { givenName = newValue }
  }

  // MARK: Adding

  /// Adds an operation, which must not have been added to a queue or started before.
  open func addOperation(_ operation: Operation) { add([operation], "adds \(operation.title)") }

  /// Adds an operation of one block.
  open func addOperation(_ block: @escaping @Sendable () -> Void) {
    let operation = BlockOperation(block: block)
    operation.quality = quality
    addOperation(operation)
  }

  /// Adds operations, all at once.
  ///
  /// - Parameters:
  ///   - operations: The operations, none of which has been added to a queue.
  ///   - waitUntilFinished: Whether to return only when all of them have finished.
  open func addOperations(_ operations: [Operation], waitUntilFinished: Bool) {
    guard !operations.isEmpty else { return }
    add(operations, "adds \(operations.map(\.title).joined(separator: ", "))")
    guard waitUntilFinished else { return }
    for operation in operations { operation.waitUntilFinished() }
  }

  /// Adds a block that runs after all that was added before it and before all that is added later.
  open func addBarrierBlock(_ block: @escaping @Sendable () -> Void) {
    let barrier = BarrierOperation(block)
    add([barrier], "adds \(barrier.title)", isBarrier: true)
  }

  // MARK: What is in it

  /// The operations that were added and have not left it, without barriers; they leave it soon
  /// after they have finished.
  open var operations: [Operation] {
    let control = control
    perform([use(.load, of: members, control)], "asks for operations of", control)
    return record(control).members.filter { !($0 is BarrierOperation) }
  }

  /// How many operations were added and have not left it, without barriers.
  open var operationCount: Int { operations.count }

  /// Cancels every operation that is in it.
  open func cancelAllOperations() {
    guard !isMain else { return }
    let control = control
    perform([use(.load, of: members, control)], "cancels all of", control)
    for operation in record(control).members { operation.cancel() }
  }

  /// Waits until nothing is in it, be it added while it waits.
  open func waitUntilAllOperationsAreFinished() {
    let control = control
    let record = record(control)
    var waited = 0
    while true {
      perform([use(.load, of: additions, control)], "looks into", control)
      let departures = record.departures[waited...]
      guard !departures.isEmpty else { return }
      waited = record.departures.count
      control.perform(
        VisibleOperation([], after: Array(departures)), "waits for all of \(title)")
    }
  }

  // MARK: Properties

  /// How many of its operations may run at a time; −1 for no limit.
  ///
  /// Once an operation has been added, a limit can be changed, but not given or taken away.
  open var maxConcurrentOperationCount: Int {
    get {
      let control = control
      perform([use(.load, of: slots, control)], "asks for the width of", control)
      return isMain ? 1 : record(control).width
    }
    set {
      let control = control
      let record = record(control)
      guard newValue >= -1 else { control.trap("gives \(title) a width of \(newValue)") }
      guard !isMain else { return }
      perform([useOfArranging(control)], "gives a width of \(newValue) to", control)
      guard !record.isUsed || (record.width == -1) == (newValue == -1) else {
        control.trap(
          "gives or takes the limit of \(title) after its first use, which is not modelled")
      }
      record.width = newValue
      if record.isUsed { control.orderBookkeeping() }
      rearrange(control) { _ in }
    }
  }

  /// Whether it begins no operation.
  open var isSuspended: Bool {
    get {
      let control = control
      perform([use(.load, of: slots, control)], "asks for isSuspended of", control)
      return record(control).isSuspended
    }
    set {
      guard !isMain else { return }
      let control = control
      var uses = [
        use(newValue ? .hold(by: slots(control)) : .letGo(by: slots(control)), of: slots, control)
      ]
      if isLimited(control) { uses.append(useOfArranging(control)) }
      perform(uses, newValue ? "suspends" : "resumes", control)
      record(control).isSuspended = newValue
      record(control).wasSuspended = true
      if isLimited(control) {
        if record(control).isUsed { control.orderBookkeeping() }
        rearrange(control) { _ in }
      }
    }
  }

  /// What blocks that are added to it get; on the main queue without effect.
  open var qualityOfService: QualityOfService {
    get { isMain ? .userInteractive : quality ?? .default }
    set { if !isMain { quality = newValue } }
  }

  /// Where its operations run, one at a time if that is a serial queue; it must be empty when this is set.
  open var underlyingQueue: DispatchQueue? {
    get {
      let control = control
      perform([use(.load, of: slots, control)], "asks for underlyingQueue of", control)
      return dispatchQueue(control)
    }
    set {
      guard !isMain else { return }
      let control = control
      perform(
        [use(.update, of: slots, control), use(.load, of: members, control)],
        "gives an underlying queue to", control)
      guard record(control).members.isEmpty else {
        control.trap("gives an underlying queue to \(title), which is not empty")
      }
      record(control).underlyingQueue = newValue
    }
  }

  /// The queue whose operation the calling strand runs, if any; on the main thread the main queue.
  public static var current: OperationQueue? {
    let control = Control.current(for: "OperationQueue")
    return Thread.isMainThread ? main : running(control).queues[control.strand]
  }

  private static let running = PerExecution { Running() }

  private final class Running {
    var queues: [StrandID: OperationQueue] = [:]
  }
}

/// A block between what was added before it and what is added later.
private final class BarrierOperation: Operation, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private let block: @Sendable () -> Void

  init(_ block: @escaping @Sendable () -> Void) {
    self.block = block
    super.init()
    name = nil
  }

  override func main() { block() }
}

/// What a queue is in one execution.
private final class QueueRecord {
  /// The events that all that were ever added have left it.
  var departures: [ObjectID] = []
  /// Those of them that have happened, in their order.
  var departed: [ObjectID] = []
  var members: [Operation] = []
  var width = OperationQueue.defaultMaxConcurrentOperationCount
  var isSuspended = false
  var wasSuspended = false
  var isUsed = false
  /// The priority of all that was added, as long as that is one.
  var priority: Int?
  /// The event that the last barrier has left it.
  var barrier: ObjectID?
  var slots = Slots()
  var underlyingQueue: DispatchQueue?
  var title: String?
}

/// Who runs in a queue of limited width, and who waits for a slot.
struct Slots {
  private struct Item {
    let operation: Operation
    var priority: Int
    /// Whom it must not begin before the end of.
    var blockers: [Operation]
  }

  private var waiting: [Item] = []
  private(set) var running: [Operation] = []

  var all: [Operation] { running + waiting.map(\.operation) }

  mutating func add(_ operation: Operation, _ priority: Int, after blockers: [Operation]) {
    waiting.append(Item(operation: operation, priority: priority, blockers: blockers))
  }

  mutating func block(_ operation: Operation, by other: Operation) {
    change(operation) { $0.blockers.append(other) }
  }

  mutating func unblock(_ operation: Operation, by other: Operation) {
    change(operation) { item in item.blockers.removeAll { $0 === other } }
  }

  /// Lets an operation begin, whomever it waits for.
  ///
  /// - Parameter isAsked: Whether it is still to say that it is ready.
  mutating func force(_ operation: Operation, isAsked: Bool) {
    change(operation) { $0.blockers = isAsked ? [operation] : [] }
  }

  /// Gives an operation another priority, behind those that have it already.
  mutating func move(_ operation: Operation, to priority: Int) {
    guard let index = waiting.firstIndex(where: { $0.operation === operation }) else { return }
    var item = waiting.remove(at: index)
    item.priority = priority
    waiting.append(item)
  }

  mutating func finish(_ operation: Operation, _ control: Control) {
    running.removeAll { $0 === operation }
    for index in waiting.indices { waiting[index].blockers.removeAll { $0 === operation } }
    if let index = waiting.firstIndex(where: { $0.operation === operation }) {
      // It has finished before its turn came; its strand must end.
      control.orderBookkeeping()
      waiting.remove(at: index)
      control.happen(operation.turnEvent(control))
    }
  }

  /// Gives free slots away.
  mutating func fill(_ width: Int, _ control: Control) {
    while running.count < width {
      let ready = waiting.indices.filter { waiting[$0].blockers.isEmpty }
      guard let highest = ready.map({ waiting[$0].priority }).max() else { return }
      let next = ready.first { waiting[$0].priority == highest }!
      let operation = waiting.remove(at: next).operation
      running.append(operation)
      control.happen(operation.turnEvent(control))
    }
  }

  /// Says whom those that are ready wait for.
  func explainWaits(_ isSuspended: Bool, _ control: Control) {
    let strand = isSuspended ? nil : running.last?.strand(control)
    for item in waiting {
      let blocker = item.blockers.first { $0 !== item.operation }?.strand(control)
      if item.blockers.isEmpty {
        control.expect(item.operation.turnEvent(control), from: strand)
      } else if control.holder(of: item.operation.turnEvent(control)) == nil {
        control.expect(item.operation.turnEvent(control), from: blocker)
      }
    }
  }

  private mutating func change(_ operation: Operation, _ body: (inout Item) -> Void) {
    guard let index = waiting.firstIndex(where: { $0.operation === operation }) else { return }
    body(&waiting[index])
  }
}

extension OperationQueue {
  private var control: Control { Control.current(for: "OperationQueue") }

  /// What it is called in a report.
  private var title: String {
    let control = control
    let record = record(control)
    if let title = record.title { return title }
    let slots = slots(control)
    control.name(slots, kind: "OperationQueue", label: name)
    let title = control.name(of: slots)
    record.title = title
    return title
  }

  private func use(
    _ action: Action, of object: ObjectIdentity, _ control: Control
  ) -> VisibleOperation.Use {
    .init(
      action, object(control), initially: object === slots ? .holds(Holds()) : .variable)
  }

  private func perform(
    _ uses: [VisibleOperation.Use], _ verb: @autoclosure () -> String, _ control: Control
  ) {
    let title = title
    control.perform(VisibleOperation(uses), "\(verb()) \(title)")
  }

  private func add(_ operations: [Operation], _ note: String, isBarrier: Bool = false) {
    let control = control
    let record = record(control)
    let isLimited = isLimited(control)
    let title = title
    record.isUsed = true
    // What is added and what leaves meanwhile commute.
    var uses = operations.flatMap { $0.usesOfQueueing(isLimited: isLimited) }
    uses += [use(.store, of: additions, control), use(.put, of: members, control)]
    if isLimited, control.ordersBookkeeping { uses.append(useOfArranging(control)) }
    control.perform(VisibleOperation(uses), "\(note) to \(title)")
    for (index, operation) in operations.enumerated() {
      guard operation.isIdle(control), !operations[..<index].contains(where: { $0 === operation })
      else {
        control.trap(
          "adds \(operation.title) to \(title), but it is in a queue, executing or finished")
      }
    }
    for operation in operations {
      let before = isBarrier ? record.departures : record.barrier.map { [$0] } ?? []
      if isLimited {
        let blockers =
          record.slots.all.filter { before.contains($0.departureEvent(control)) }
          + operation.blockers(control)
        let priority = isBarrier ? 12 : operation.rank(isSerial: isMain || record.width == 1)
        if !blockers.isEmpty || record.wasSuspended || priority != record.priority ?? priority {
          control.orderBookkeeping()
        }
        record.priority = priority
        record.slots.add(operation, priority, after: blockers)
        operation.enter(
          self, control, after: [operation.turnEvent(control)] + slotGiven(record, control),
          using: [], waitsForDependencies: false)
      } else {
        operation.enter(
          self, control, after: before,
          using: [use(.proceed, of: slots, control)], waitsForDependencies: true)
      }
      record.departures.append(operation.departureEvent(control))
      record.members.append(operation)
      if isBarrier { record.barrier = operation.departureEvent(control) }
    }
    if isLimited { rearrange(control) { _ in } }
  }

  /// The end that gives the next operation its slot, if it has come already.
  ///
  /// Where adding has no order with what finishes, an operation comes after the same end, be it added before or later.
  private func slotGiven(_ record: QueueRecord, _ control: Control) -> [ObjectID] {
    let index = record.departures.count - (isMain ? 1 : record.width)
    guard !control.ordersBookkeeping, record.departed.indices.contains(index) else { return [] }
    return [record.departed[index]]
  }

  // MARK: For operations

  func isLimited(_ control: Control) -> Bool { isMain || record(control).width != -1 }

  /// Where operations run that do not get threads of their own.
  func dispatchQueue(_ control: Control) -> DispatchQueue? {
    isMain ? .main : record(control).underlyingQueue
  }

  func useOfLeaving(_ control: Control) -> VisibleOperation.Use {
    use(.put, of: members, control)
  }

  func useOfArranging(_ control: Control) -> VisibleOperation.Use {
    use(.update, of: slots, control)
  }

  /// An operation leaves it, in the step under way.
  func leave(_ operation: Operation, _ control: Control) {
    record(control).members.removeAll { $0 === operation }
    record(control).departed.append(operation.departureEvent(control))
  }

  /// Changes who waits for a slot, in a step of its own.
  func arrange(
    _ control: Control, _ verb: String, _ operation: Operation,
    _ uses: [VisibleOperation.Use] = [], _ change: (inout Slots) -> Void
  ) {
    control.perform(
      VisibleOperation(uses + [useOfArranging(control)]),
      "\(verb) \(operation.title) in \(title)")
    control.orderBookkeeping()
    rearrange(control, change)
  }

  /// Changes who waits for a slot and gives free slots away, in the step under way.
  func rearrange(_ control: Control, _ change: (inout Slots) -> Void) {
    let record = record(control)
    change(&record.slots)
    if !record.isSuspended { record.slots.fill(isMain ? 1 : record.width, control) }
    record.slots.explainWaits(record.isSuspended, control)
  }

  /// The calling strand has begun an operation of it.
  func isBegun(_ control: Control) { Self.running(control).queues[control.strand] = self }
}
