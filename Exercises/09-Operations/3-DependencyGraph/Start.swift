// region run
/// Runs steps, each when all that it depends on have ended.
///
/// When it returns or throws, no step is at work any more. The check uses `Step`, `PlanError`, `Outcome` and
/// `run(_:atMost:)`.
///
/// - Parameters:
///   - steps: In any order.
///   - width: How many are at work at once, 1 or more.
/// - Returns: What became of each step, by its name.
/// - Throws: ``PlanError``, before any step has begun. `CancellationError` if the caller is cancelled.
func run<Value: Sendable>(
  _ steps: [Step<Value>], atMost width: Int
) async throws -> [String: Outcome<Value>] {
  // Was: an operation for each step, addDependency for each name, maxConcurrentOperationCount = width
  // TODO: Begin each step as soon as it may, refuse a plan that is impossible, and bear a failure.
  var waiting = steps
  var outcomes: [String: Outcome<Value>] = [:]
  while true {
    let ready = waiting.filter { step in step.dependencies.allSatisfy { outcomes[$0] != nil } }
    if ready.isEmpty { return outcomes }
    waiting.removeAll { step in ready.contains { $0.name == step.name } }
    try await withThrowingTaskGroup(of: (String, Value).self) { group in
      for step in ready {
        var values: [String: Value] = [:]
        for name in step.dependencies {
          if case .value(let value) = outcomes[name] { values[name] = value }
        }
        group.addTask(name: step.name) { [values] in (step.name, try await step.work(values)) }
      }
      for try await (name, value) in group { outcomes[name] = .value(value) }
    }
  }
}
// endregion

// region step
// endregion

// region refuse
// endregion
