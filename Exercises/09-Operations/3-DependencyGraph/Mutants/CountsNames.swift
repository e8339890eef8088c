// Looks right: each step counts what it still waits for, and each end takes one off. Wrong: a name that is there twice is
// counted twice and ends once.

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
  return try await withThrowingTaskGroup(of: (String, Outcome<Value>).self) { group in
    var waiting = steps
    var outcomes: [String: Outcome<Value>] = [:]
    var missing = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.dependencies.count) })
    func end(_ name: String, _ outcome: Outcome<Value>) {
      outcomes[name] = outcome
      for step in steps where step.dependencies.contains(name) { missing[step.name]! -= 1 }
    }
    var running = 0
    while true {
      try Task.checkCancellation()
      while running < width, let index = waiting.firstIndex(where: { missing[$0.name] == 0 }) {
        let step = waiting.remove(at: index)
        guard let values = step.values(in: outcomes) else {
          end(step.name, .notBegun)
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
      guard let (name, outcome) = try await group.next() else { return outcomes }
      running -= 1
      end(name, outcome)
    }
  }
}
// endregion
