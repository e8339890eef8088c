/// Chooses one of several values, as what a scenario has no power over does: a request that succeeds, fails or never comes
/// back, a read that brings less than was asked for.
///
/// An exploration goes on with each of them, in each schedule that leads here; a choice is part of a ``Schedule``, and a trace
/// shows it. Outside of an exploration it is the first.
///
///     switch choose(from: [.success(photo), .failure(Lost())]) { … }
///
/// - Parameter values: What to choose from, in the same order in every execution; one or more.
/// - Returns: One of them.
/// - Complexity: An exploration has up to as many times the schedules as there are values.
public func choose<Value>(from values: [Value]) -> Value {
  precondition(!values.isEmpty, "there is nothing to choose from")
  guard let executor = ScenarioExecutor.current else { return values[0] }
  return values[executor.choose(from: values.count) { describe(values[$0]) }]
}
