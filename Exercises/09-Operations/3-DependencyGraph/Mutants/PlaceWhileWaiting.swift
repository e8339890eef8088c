// Looks right: a child for each step waits for its dependencies, and not more than the width are begun. Wrong: a child
// that waits has a place, and what it waits for gets none.

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
  let board = Board<Value>()
  return try await withThrowingTaskGroup(of: Void.self) { group in
    for (index, step) in steps.enumerated() {
      if index >= width { try await group.next() }
      try Task.checkCancellation()
      group.addTask(name: step.name) {
        for name in step.dependencies { await board.waitForEnd(of: name) }
        try Task.checkCancellation()
        guard let values = step.values(in: await board.outcomes) else {
          return await board.end(step.name, .notBegun)
        }
        do {
          await board.end(step.name, .value(try await step.work(values)))
        } catch {
          await board.end(step.name, .failed(error))
        }
      }
    }
    try await group.waitForAll()
    try Task.checkCancellation()
    return await board.outcomes
  }
}

/// What has ended, and the children that wait for an end.
private actor Board<Value: Sendable> {
  private(set) var outcomes: [String: Outcome<Value>] = [:]
  private var waiters: [String: [CheckedContinuation<Void, Never>]] = [:]

  func waitForEnd(of name: String) async {
    guard outcomes[name] == nil else { return }
    await withCheckedContinuation { waiters[name, default: []].append($0) }
  }

  func end(_ name: String, _ outcome: Outcome<Value>) {
    outcomes[name] = outcome
    for waiter in waiters.removeValue(forKey: name) ?? [] { waiter.resume() }
  }
}
// endregion
