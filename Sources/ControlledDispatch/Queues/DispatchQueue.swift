import Interleaving

/// The stand-in for Dispatch's queue.
///
/// Items of a serial queue run in the order in which they were submitted, one at a time. Items of a
/// concurrent queue begin when they like, or, where ``WorkerPool`` is limited, in the order in which they
/// were submitted; a barrier waits for those before it and is waited for by those after it. Each asynchronous item is a strand of its own. Quality of service changes nothing, as on
/// Linux it changes nothing that a program can rely on.
public final class DispatchQueue: Sendable {
  /// How a queue is made.
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Items may run beside each other.
    public static let concurrent = Attributes(rawValue: 1)
    /// Nothing runs before `activate()`.
    public static let initiallyInactive = Attributes(rawValue: 2)
  }

  /// When a queue gives back what its items have autoreleased; of no effect here.
  public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

  enum Kind { case serial, concurrent, global, main }

  /// What the queue is called in a report.
  public let label: String
  /// What it was made with; of no effect here.
  public let qos: DispatchQoS
  let kind: Kind
  /// Only its order matters: it stands for the end of the queue, where items are put.
  private let tail: ControlledObject
  private let suspension: ControlledObject
  /// Of a queue that is made inactive: closed until it is activated.
  private let inactivity: ControlledObject?
  private let specifics: ControlledObject
  /// Held while an item of the queue, or of one that targets it, runs.
  private let drain: ControlledObject
  /// Read while an item runs of a queue that targets this one, which is concurrent; written while a barrier does.
  private let guests: ControlledObject
  private let state: PerExecution<State>

  private final class State {
    var target: DispatchQueue?
    var count = 0
    /// The ends of the items that the next one must wait for: the last one, or the last barrier.
    var barrier: [ObjectID] = []
    var sinceBarrier: [ObjectID] = []
    var specifics: [ObjectIdentifier: Any] = [:]
    /// Of the last item that wants one of a limited number of workers: that it has one.
    var hasWorker: ObjectID?

    init(target: DispatchQueue?) { self.target = target }
  }

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - label: What it is called.
  ///   - qos: Of no effect here.
  ///   - attributes: Serial and active unless said otherwise.
  ///   - autoreleaseFrequency: Of no effect here.
  ///   - target: Where its items run in the end; of a serial target one at a time.
  public convenience init(
    label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
    autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
  ) {
    self.init(
      label: label, qos, attributes.contains(.concurrent) ? .concurrent : .serial,
      startsInactive: attributes.contains(.initiallyInactive), target)
  }

  private init(
    label: String, _ qos: DispatchQoS, _ kind: Kind, startsInactive: Bool = false,
    _ target: DispatchQueue? = nil
  ) {
    self.label = label
    self.qos = qos
    self.kind = kind
    // What everybody shares belongs to no execution, whoever asks for it first.
    let outlives = kind == .main || kind == .global
    func object(
      _ name: String, _ initial: ObjectState = .variable, onMain known: ObjectID? = nil
    ) -> ControlledObject {
      ControlledObject(
        name, label: label, initial, outlives: outlives, as: kind == .main ? known : nil)
    }
    tail = object("queue", onMain: .main)
    suspension = object("suspended queue", .gate(closed: 0))
    inactivity = startsInactive ? object("inactive queue", .gate(closed: 1)) : nil
    specifics = object("specifics of queue")
    drain = object("queue", .lock(isHeld: false), onMain: .mainThread)
    guests = object("queue", .sharedLock(readers: [], writer: nil))
    state = PerExecution { State(target: target) }
  }

  deinit {
    guard let control = Control.current, control.strand != .outside else { return }
    let wish =
      if isInactive(control) {
        "inactive: Dispatch wants it activated first"
      } else if case .gate(let closed)? = control.state(of: suspension.id), closed > 0 {
        "suspended: Dispatch wants it resumed first"
      } else {
        nil as String?
      }
    if let wish { control.trap("releases queue \(label), which is \(wish)") }
  }

  /// The queue of the main thread.
  public static let main: DispatchQueue = {
    let main = DispatchQueue(label: "main", .unspecified, .main)
    MainQueueTest.shared.set {
      Control.current.map { StrandContext.current($0).runs(on: main) } ?? false
    }
    return main
  }()

  private static let globals = Dictionary(
    uniqueKeysWithValues: DispatchQoS.QoSClass.allCases.map {
      let qosClass = $0 == .default ? .unspecified : $0
      return (
        $0,
        DispatchQueue(
          label: "global", DispatchQoS(qosClass: qosClass, relativePriority: 0), .global)
      )
    })

  /// The queue that all share, by quality of service.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { globals[qos]! }

  // MARK: Submitting

  /// Submits a block and goes on.
  public func async(
    group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    let block = Block(work)
    group?.enter()
    start(submit(flags, from: nil)) {
      block.run()
      group?.leave()
    }
  }

  /// Submits a work item and goes on.
  public func async(execute workItem: DispatchWorkItem) {
    workItem.isSubmitted(to: start(submit(workItem.flags, from: nil)) { workItem.run() })
  }

  /// Submits a work item as a member of a group and goes on.
  public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
    group.enter()
    let strand = start(submit(workItem.flags, from: nil)) {
      workItem.run()
      group.leave()
    }
    workItem.isSubmitted(to: strand)
  }

  /// Submits a block at a moment of virtual time.
  public func asyncAfter(
    deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    execute work: @escaping @Sendable () -> Void
  ) {
    async(at: deadline, flags, work)
  }

  /// Submits a work item at a moment of virtual time.
  public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
    workItem.isSubmitted(to: async(at: deadline, workItem.flags) { workItem.run() })
  }

  /// - Returns: The strand that will run it; nil if none ever will.
  @discardableResult
  private func async(
    at deadline: DispatchTime, _ flags: DispatchWorkItemFlags,
    _ work: @escaping @Sendable () -> Void
  ) -> StrandID? {
    guard deadline != .distantFuture else { return nil }
    guard deadline > .now() else { return start(submit(flags, from: nil), work) }
    return async(when: VisibleOperation([control.arm(deadline)]), flags, work)
  }

  /// Submits a block in the same moment in which an operation can be done.
  ///
  /// - Returns: The strand that will run it.
  @discardableResult
  func async(
    when condition: VisibleOperation, _ flags: DispatchWorkItemFlags,
    _ work: @escaping @Sendable () -> Void
  ) -> StrandID {
    let control = control
    let block = Block(work)
    return control.begin(nextName()) {
      self.run(when: condition, flags, block.run)
    }.strand
  }

  /// Runs a block on the calling strand, submitted in the same moment in which an operation can be done.
  func run(
    when condition: VisibleOperation, _ flags: DispatchWorkItemFlags = [], _ work: () -> Void
  ) {
    inItem(submit(flags, from: control.strand, when: condition), isOnWorker: true, work)
  }

  /// Runs a block when its turn comes, on the calling strand, and waits for it.
  ///
  /// - Returns: What the block returns.
  /// - Throws: What the block throws.
  public func sync<T>(execute work: () throws -> T) rethrows -> T {
    try sync(flags: [], execute: work)
  }

  /// Runs a block when its turn comes, on the calling strand, and waits for it.
  ///
  /// - Returns: What the block returns.
  /// - Throws: What the block throws.
  public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T {
    try inItem(submit(flags, from: control.strand), isOnWorker: false, work)
  }

  /// Runs a work item when its turn comes, on the calling strand, and waits for it.
  public func sync(execute workItem: DispatchWorkItem) {
    workItem.isSubmitted(to: control.strand)
    sync(flags: workItem.flags) { workItem.run() }
  }

  // Linux has no such function; untested.
  #if canImport(Darwin)
    /// Runs a block when its turn comes, and waits for it; here on the calling strand, as `sync` does.
    ///
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    public func asyncAndWait<T>(
      flags: DispatchWorkItemFlags = [], execute work: () throws -> T
    ) rethrows -> T { try sync(flags: flags, execute: work) }

    /// Runs a work item when its turn comes, and waits for it; here on the calling strand, as `sync` does.
    public func asyncAndWait(execute workItem: DispatchWorkItem) { sync(execute: workItem) }
  #endif

  // MARK: Items

  /// A place in the queue.
  struct Item {
    let name: String
    /// What must have ended before.
    let after: [ObjectID]
    let end: ObjectID
    let flags: DispatchWorkItemFlags
    /// Where workers are limited: that the item before it has one, and that it has.
    let turn: (before: ObjectID?, own: ObjectID)?
  }

  var control: Control { tail.control }

  private func nextName() -> String {
    let state = state(control)
    state.count += 1
    return "\(label) \(state.count)"
  }

  /// Puts an item at the end of the queue.
  ///
  /// - Parameters:
  ///   - strand: The strand that runs it; nil if it is to get one of its own.
  ///   - condition: When to.
  private func submit(
    _ flags: DispatchWorkItemFlags, from strand: StrandID?,
    when condition: VisibleOperation = VisibleOperation([])
  ) -> Item {
    var operation = condition
    operation.uses.append(useOfSubmitting(flags, from: strand))
    control.perform(
      operation,
      (strand == nil ? "submits to " : "joins ") + "queue \(label)")
    return put(flags, from: strand)
  }

  /// What putting an item at its end does to it; items that may run beside each other may be put in any order, unless
  /// they wait for workers in it.
  func useOfSubmitting(
    _ flags: DispatchWorkItemFlags, from strand: StrandID? = nil
  ) -> VisibleOperation.Use {
    tail.use(isExclusive(flags) || isInLine(strand) ? .write : .put)
  }

  /// Whether an item waits for a worker behind the items before it.
  private func isInLine(_ strand: StrandID?) -> Bool {
    strand == nil && usesPool(control) && WorkerPool.object(control) != nil
  }

  /// Puts an item at its end, in the step under way, which has made the use of submitting.
  private func put(_ flags: DispatchWorkItemFlags, from strand: StrandID?) -> Item {
    let control = control
    let isBarrier = isExclusive(flags)
    let state = state(control)
    let end = control.makeObject()
    control.name(end, kind: "queue", label: label)
    control.expect(end, from: strand)
    defer {
      switch kind {
      case .global, .main: break
      case _ where isBarrier:
        state.barrier = [end]
        state.sinceBarrier = []
      default: state.sinceBarrier.append(end)
      }
    }
    let name = strand == nil ? nextName() : ""
    var turn: (before: ObjectID?, own: ObjectID)?
    if isInLine(strand) {
      turn = (state.hasWorker, control.makeObject())
      control.name(turn!.own, kind: "queue", label: label)
      state.hasWorker = turn!.own
    }
    // What is isolated to the main actor is in the same line.
    let after =
      kind == .main
      ? control.joinMainLine(end).map { [$0] } ?? []
      : state.barrier + (isBarrier ? state.sinceBarrier : [])
    return Item(name: name, after: after, end: end, flags: flags, turn: turn)
  }

  /// Submits a block in the step under way, which has made the use of submitting.
  func put(_ flags: DispatchWorkItemFlags, _ work: @escaping @Sendable () -> Void) {
    start(put(flags, from: nil), work)
  }

  /// Begins an item as a strand of its own.
  @discardableResult
  private func start(_ item: Item, _ work: @escaping @Sendable () -> Void) -> StrandID {
    let control = control
    let block = Block(work)
    let strand = control.begin(item.name) {
      self.inItem(item, isOnWorker: true, block.run)
    }.strand
    control.expect(item.end, from: strand)
    if let turn = item.turn { control.expect(turn.own, from: strand) }
    return strand
  }

  /// Runs an item on the calling strand when its turn has come.
  ///
  /// - Parameter isOnWorker: Whether a worker runs it; else whoever has called `sync`.
  private func inItem<T>(
    _ item: Item, isOnWorker: Bool, _ work: () throws -> T
  ) rethrows -> T {
    let control = control
    waitForActivation(control)
    let chain = chain(control)
    let owned = chain.filter { $0.isExclusive($0 === self ? item.flags : []) }
    let context = StrandContext.current(control)
    let isOnMainActor = control.isOnMainActor
    if !isOnWorker,
      let index = chain.firstIndex(where: {
        context.owns($0) || isOnMainActor && $0.kind == .main
      })
    {
      let queue = chain[index]
      if index == 0 {
        control.trap(
          "calls sync on queue \(label), on which it runs: it would wait for itself")
      }
      // Queues are taken one after another, and the first may keep it waiting.
      let below = chain[..<index]
      control.perform(
        VisibleOperation(
          below.filter(\.canBeSuspended).map { $0.suspension.use(.goThrough) }
            + owned.filter { taken in below.contains { $0 === taken } }.map {
              $0.drain.use(.acquire)
            }, after: item.after), "begins on queue \(label)")
      control.trap(
        "calls sync on queue \(label), whose target queue \(queue.label) it holds: it would wait for itself"
      )
    }
    var uses = chain.filter(\.canBeSuspended).map { $0.suspension.use(.goThrough) }
    uses += owned.map { $0.drain.use(.acquire) }
    // To a concurrent target the item of another queue is one that is no barrier.
    let hosts = chain.dropFirst().filter { $0.kind == .concurrent }
    uses += hosts.map { $0.guests.use(.acquireToRead(control.strand)) }
    let isHost = kind == .concurrent && isExclusive(item.flags)
    if isHost { uses.append(guests.use(.acquireToWrite(control.strand))) }
    let pool = isOnWorker && usesPool(control) ? WorkerPool.object(control) : nil
    if let pool { uses.append(pool.use(.take)) }
    let events = item.after + (item.turn?.before.map { [$0] } ?? [])
    if !uses.isEmpty || !events.isEmpty {
      control.perform(VisibleOperation(uses, after: events), "begins on queue \(label)")
    }
    if let turn = item.turn { control.happen(turn.own) }
    context.frames.append(.init(queue: self, chain: chain, owned: owned))
    defer {
      context.frames.removeLast()
      var releases = owned.map { $0.drain.use(.release) } + (pool.map { [$0.use(.put)] } ?? [])
      releases += (hosts + (isHost ? [self] : [])).map {
        $0.guests.use(.releaseShared(control.strand))
      }
      if !releases.isEmpty {
        control.perform(VisibleOperation(releases), "ends on queue \(label)")
      }
      control.happen(item.end)
    }
    return try work()
  }

  // MARK: The hierarchy

  private func isExclusive(_ flags: DispatchWorkItemFlags) -> Bool {
    switch kind {
    case .serial, .main: true
    case .concurrent: flags.contains(.barrier)
    case .global: false
    }
  }

  /// The queue, its target, that one's target and so on.
  private func chain(_ control: Control) -> [DispatchQueue] {
    sequence(first: self) { $0.state(control).target }.map { $0 }
  }

  private func usesPool(_ control: Control) -> Bool {
    let last = chain(control).last!
    // A serial queue without a target has a thread whenever it needs one.
    return last.kind == .concurrent || last.kind == .global
  }

  /// Gives the queue another target; of no effect on the main and the global queues.
  public func setTarget(queue: DispatchQueue?) {
    guard canBeSuspended else { return }
    let control = control
    inactivity?.perform(.store, "sets the target of")
    guard isInactive(control) else {
      control.trap(
        "sets the target of queue \(label), which is active: Dispatch permits it only before activate()"
      )
    }
    if let queue, queue.chain(control).contains(where: { $0 === self }) {
      control.trap("makes queue \(label) a target of itself")
    }
    state(control).target = queue
  }

  // MARK: Suspending

  /// Keeps items from beginning until it is resumed as often.
  public func suspend() {
    if canBeSuspended { suspension.perform(.close, "suspends") }
  }

  /// Undoes one `suspend()`.
  public func resume() {
    guard canBeSuspended, suspension.perform(.open, "resumes") == .refused else { return }
    control.trap(
      "resumes queue \(label), which is not suspended"
        + (inactivity == nil ? "" : "; what was made inactive wants activate()"))
  }

  /// On the main and the global queues both have no effect.
  private var canBeSuspended: Bool { kind == .serial || kind == .concurrent }

  /// Lets a queue that was made inactive begin.
  public func activate() { inactivity?.perform(.open, "activates") }

  /// Whether it was made inactive and has not been activated.
  private func isInactive(_ control: Control) -> Bool {
    guard let inactivity else { return false }
    return control.state(of: inactivity.id) != .gate(closed: 0)
  }

  /// Waits until it is active, and its target, and that one's target: until then they may change.
  private func waitForActivation(_ control: Control) {
    var next: DispatchQueue? = self
    while let queue = next {
      queue.inactivity?.perform(.goThrough, "finds active")
      next = queue.state(control).target
    }
  }

  // MARK: Specifics

  /// Keeps a value with the queue.
  public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {
    specifics.perform(.store, "sets a")
    state(control).specifics[ObjectIdentifier(key)] = value
  }

  /// The value that is kept with the queue.
  public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
    specifics.perform(.load, "reads a")
    return state(control).specifics[ObjectIdentifier(key)] as? T
  }

  /// The value that is kept with the queue on which the caller runs, or with that queue's target and so on.
  public static func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? {
    let control = Control.current(for: "DispatchQueue")
    for queue in StrandContext.current(control).frames.last?.chain ?? [] {
      if let value = queue.getSpecific(key: key) { return value }
    }
    return nil
  }
}

/// The name of a value that queues keep.
public final class DispatchSpecificKey<T>: Sendable {
  public init() {}
}

/// What runs once and keeps nothing then, as Dispatch releases a block before it says that it has run.
private final class Block: @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private var body: (@Sendable () -> Void)?

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func run() { body.take()?() }
}
