/// What a stand-in for something that blocks asks of the exploration that the calling thread belongs to.
package struct Control: @unchecked Sendable {
  // Sendable: used by the thread that has the turn.
  private let executor: ScenarioExecutor

  /// The exploration that the calling thread belongs to, if any.
  package static var current: Control? { SwiftRuntime.current.map { Control(executor: $0) } }

  /// One execution of one exploration.
  package struct Execution: Hashable, Sendable {
    let exploration: ObjectIdentifier
    let ordinal: Int
  }

  /// The execution under way.
  package var execution: Execution {
    Execution(exploration: ObjectIdentifier(executor), ordinal: executor.executions)
  }

  // MARK: Objects

  /// Numbers something that the running strand makes, the same in every execution.
  package func makeObject() -> Int { executor.makeVariable() }

  /// The number of something that was made outside the scenario and outlives it.
  package func number(of object: AnyObject) -> Int { executor.number(of: ObjectIdentifier(object)) }

  /// Says what an object or an event is called in a report: its label, or its kind, with a number from
  /// the second of a kind on.
  package func name(_ object: Int, kind: String, label: String? = nil) {
    executor.blocking.name(object, kind: kind, label: label)
  }

  /// The strand that holds a lock, if any does.
  package func holder(of object: Int) -> Int? { executor.blocking.holders[object] }

  /// What an object is called in a report.
  package func name(of object: Int) -> String { executor.blocking.names[object] ?? "something" }

  /// The state of an object, if anything was done to it in this execution.
  package func state(of object: Int) -> ObjectState? { executor.blocking.states[object] }

  /// What belongs to an owner in the execution under way, made at the first call.
  package func attachment<State>(of owner: AnyObject, _ make: () -> State) -> State {
    executor.blocking.attachment(of: owner, make)
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
    executor.perform(operation, note())
  }

  /// Adds to what a trace says about the step under way.
  package func note(_ note: @autoclosure () -> String) {
    executor.recorder?.note(.does(note()))
  }

  /// The moment of virtual time, in milliseconds since the execution began.
  package var now: Int { executor.now }

  /// The clock that all strands wait by.
  package static let clock = -2

  // MARK: Strands

  /// The calling strand.
  package var strand: Int { executor.running ?? -1 }

  /// What a strand is called in a report.
  package func name(ofStrand strand: Int) -> String { executor.name(of: strand) }

  /// Begins a strand, which a thread of its own carries.
  ///
  /// - Parameters:
  ///   - name: What it is called in a report.
  ///   - body: What it does.
  /// - Returns: The event of its end.
  package func begin(_ name: String?, _ body: @escaping () -> Void) -> Int {
    executor.begin(name: name, body)
  }

  /// Makes an event happen, in the step under way.
  package func happen(_ event: Int) { executor.blocking.happen(event, in: executor.steps) }

  /// Says which strand will make an event happen, for the naming of cycles.
  package func expect(_ event: Int, from strand: Int?) { executor.blocking.holders[event] = strand }

  /// Ends the calling strand where it is; nothing on its stack is released.
  package func exit() -> Never { executor.exitStrand() }

  /// Ends the execution as the real thing would end the process.
  ///
  /// - Parameter reason: Why, in words.
  package func trap(_ reason: String) -> Never { executor.trap(reason) }
}
