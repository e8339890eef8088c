import CInterleaving

/// What a stand-in for something that blocks asks of the exploration that the calling thread belongs to.
package struct Control: @unchecked Sendable {
  // Sendable: used by the thread that has the turn.
  private let executor: ScenarioExecutor

  /// The exploration that the calling thread belongs to, if any.
  package static var current: Control? { ScenarioExecutor.current.map { Control(executor: $0) } }

  /// The execution under way.
  package var execution: ExecutionID { executor.current }

  // MARK: Objects

  /// A new object of the running strand, or an event, which has the same identity in every execution.
  package func makeObject() -> ObjectID { executor.apart { executor.execution.makeObject() } }

  /// The identity of something that was made outside the scenario and outlives it.
  package func object(_ outside: AnyObject) -> ObjectID {
    executor.apart { executor.execution.objects.object(outside: ObjectIdentifier(outside)) }
  }

  /// Says what an object or an event is called in a report: its label, or its kind, with a number from
  /// the second of a kind on.
  package func name(_ object: ObjectID, kind: String, label: String? = nil) {
    executor.apart { executor.execution.objects.name(object, kind: kind, label: label) }
  }

  /// Says what an object is called from now on.
  package func rename(_ object: ObjectID, _ name: String) {
    executor.apart { executor.execution.objects.name(object, name) }
  }

  /// The strand that holds a lock, or will make an event happen, if any does.
  package func holder(of object: ObjectID) -> StrandID? {
    executor.execution.objects.holders[object]
  }

  /// What an object is called in a report.
  package func name(of object: ObjectID) -> String { executor.execution.objects.name(of: object) }

  /// The state of an object, if anything was done to it in this execution.
  package func state(of object: ObjectID) -> ObjectState? {
    executor.execution.objects.states[object]
  }

  /// What belongs to an owner in the execution under way, made at the first call.
  package func attachment<State>(of owner: AnyObject, _ make: () -> State) -> State {
    if let known = executor.execution.objects.attachment(of: owner) { return known as! State }
    let state = make()
    executor.execution.objects.attach(state, to: owner)
    return state
  }

  // MARK: Operations

  /// Waits for the calling strand's turn, and until the operation can be done, and does it.
  ///
  /// - Parameters:
  ///   - operation: What to do.
  ///   - note: What a trace says about it.
  /// - Returns: What it came to.
  @discardableResult
  package func perform(
    _ operation: VisibleOperation, _ note: @autoclosure () -> String? = nil
  ) -> VisibleOperation.Result {
    executor.execution.report.usesStandIns = true
    return executor.perform(operation, note())
  }

  /// Does one thing more to an object, in the step under way.
  ///
  /// That the step does so must follow from what it has begun with: who could change that it does must conflict with
  /// the beginning. If that is an operation that may have to wait to the end, it says so: ``VisibleOperation/goesOn``.
  ///
  /// - Parameter isAnnounced: Whether the step is a choice's, and the one before it, which led to the choice, has already used
  ///   the object so that nobody's use of it commutes with that.
  package func goOn(with use: VisibleOperation.Use, isAnnounced: Bool = false) {
    executor.apart { executor.execution.goOn(with: use, isAnnounced: isAnnounced) }
  }

  /// Adds to what a trace says about the step under way.
  package func note(_ note: @autoclosure () -> String) { executor.note(note()) }

  /// The moment of virtual time, in milliseconds since the execution began.
  package var now: Int { executor.execution.clock.now }

  /// The calling strand is about to ask for it.
  package func readClock() { executor.readClock() }

  /// A date as a moment of virtual time; one that is past is now.
  package func moment(at secondsSince1970: Double) -> Int {
    let epoch = Double(interleaving_epoch_of_day(executor.seat)) / 1e9
    let left = Duration.seconds(secondsSince1970 - epoch) - .milliseconds(now)
    return executor.execution.clock.deadline(after: left)
  }

  /// Lets the calling strand wait for a moment of virtual time.
  package func arm(_ moment: Int) -> VisibleOperation.Use { executor.arm(moment) }

  /// Lets a strand that is about to begin wait for a moment of virtual time, in the step under way.
  package func armAtOnce(_ moment: Int) -> VisibleOperation.Use {
    goOn(with: .init(.arm(moment), .clock, initially: .clock([])))
    return .init(.expire(moment), .clock, initially: .clock([]))
  }

  // MARK: Strands

  /// The calling strand; what runs outside any is one, too.
  package var strand: StrandID { executor.execution.running ?? .outside }

  /// What a strand is called in a report.
  package func name(of strand: StrandID) -> String { executor.execution.strands.names[strand] }

  /// Begins a strand, which a thread of its own carries.
  ///
  /// - Parameters:
  ///   - name: What it is called in a report.
  ///   - body: What it does; the caller keeps no reference to it, so none can be the last.
  /// - Returns: The strand, and the event of its end.
  @discardableResult
  package func begin(
    _ name: String?, _ body: consuming @escaping () -> Void
  ) -> (strand: StrandID, end: ObjectID) {
    executor.begin(name: name, Beginning(body))
  }

  /// Begins a strand when an operation can be done, which it does first. That it never begins is no failure.
  ///
  /// - Parameters:
  ///   - operation: What it does first.
  ///   - name: What it is called in a report.
  ///   - body: What it does then, with what the operation came to.
  package func begin(
    when operation: VisibleOperation, _ name: String,
    _ body: consuming @escaping (VisibleOperation.Result) -> Void
  ) {
    _ = executor.begin(name: name, Beginning(with: body), with: operation)
  }

  /// Makes an event happen, in the step under way.
  package func happen(_ event: ObjectID) { executor.execution.happen(event) }

  /// Says which strand will make an event happen, for the naming of cycles.
  package func expect(_ event: ObjectID, from strand: StrandID?) {
    executor.execution.objects.holders[event] = strand
  }

  /// What ends with an event is the next in line for the main thread.
  ///
  /// - Returns: The event of the end of what it comes behind; nil if nothing was in the line.
  package func joinMainLine(_ end: ObjectID) -> ObjectID? { executor.execution.joinLine(end) }

  /// Whether what is done for bookkeeping, such as adding to a queue of limited width, is to have an order.
  package var ordersBookkeeping: Bool { executor.execution.supply.contains(.ofBookkeeping) }

  /// Says that its order can be told; all is explored anew with it.
  package func orderBookkeeping() {
    executor.execution.report.demand.add(.ofBookkeeping)
  }

  /// Lets code of the scenario answer what a library asks it.
  ///
  /// - Parameter asker: Who asks, for the report of a race.
  package func asking<R>(for asker: String, _ question: () -> R) -> R {
    let (execution, strand) = (executor.execution, strand)
    let earlier = execution.asker(of: strand)
    execution.setAsker(execution.races.number(ofAsker: asker), of: strand)
    defer { execution.setAsker(earlier, of: strand) }
    return question()
  }

  /// Ends the calling strand where it is; nothing on its stack is released.
  package func exit() -> Never { executor.exitStrand() }

  /// Ends the execution as the real thing would end the process.
  ///
  /// - Parameter reason: Why, in words.
  package func trap(_ reason: String) -> Never { executor.trap(reason) }
}

extension Control {
  /// Whether the calling strand is a task on the main actor.
  package var isOnMainActor: Bool { executor.execution.current?.isolation == .main }

  /// Whether the scenario itself has come to its end.
  package var isScenarioOver: Bool { executor.execution.isScenarioOver }

  /// When virtual time began: in milliseconds since 1970, and since the system began.
  package var beginning: (wall: Int, uptime: Int) {
    let epochs = executor.seat.pointee.epochs
    return (Int(epochs.0 / 1_000_000), Int(epochs.1 / 1_000_000))
  }
}
