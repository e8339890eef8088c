// Looks right: when no step is at work and some are left, there is a cycle. Wrong: by then the steps before it have run.

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
  return try await withThrowingTaskGroup(of: (String, Outcome<Value>).self) { group in
    var waiting = steps
    var outcomes: [String: Outcome<Value>] = [:]
    var running = 0
    while true {
      try Task.checkCancellation()
      while running < width, let index = waiting.firstIndex(where: { $0.isReady(outcomes) }) {
        let step = waiting.remove(at: index)
        guard let values = step.values(in: outcomes) else {
          outcomes[step.name] = .notBegun
          continue
        }
        running += 1
        group.addTask(name: step.name) {
          do {
            return (step.name, .value(try await step.work(values)))
          } catch {
            return (step.name, .failed(error))
          }
        }
      }
      guard let (name, outcome) = try await group.next() else {
        if !waiting.isEmpty { try refuseImpossible(steps) }
        return outcomes
      }
      running -= 1
      outcomes[name] = outcome
    }
  }
}
// endregion
