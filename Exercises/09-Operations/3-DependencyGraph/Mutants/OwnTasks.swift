// Looks right: each step is a task that awaits the tasks that it depends on. Wrong: nobody cancels these tasks, and
// nothing keeps to the width.

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
  try refuseImpossible(steps)
  var tasks: [String: Task<Outcome<Value>, Never>] = [:]
  func task(for step: Step<Value>) -> Task<Outcome<Value>, Never> {
    if let task = tasks[step.name] { return task }
    let needed = steps.filter { step.dependencies.contains($0.name) }
      .map { (name: $0.name, task: task(for: $0)) }
    let task = Task(name: step.name) { () -> Outcome<Value> in
      var values: [String: Value] = [:]
      for (name, task) in needed {
        guard case .value(let value) = await task.value else { return .notBegun }
        values[name] = value
      }
      do { return .value(try await step.work(values)) } catch { return .failed(error) }
    }
    tasks[step.name] = task
    return task
  }
  for step in steps { _ = task(for: step) }
  var outcomes: [String: Outcome<Value>] = [:]
  for (name, task) in tasks { outcomes[name] = await task.value }
  try Task.checkCancellation()
  return outcomes
}
// endregion
