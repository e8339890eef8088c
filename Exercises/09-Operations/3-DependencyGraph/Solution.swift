/// A step of an app's start.
struct Step<Value: Sendable>: Sendable {
  /// No two steps have the same.
  let name: String
  /// The names of the steps that it depends on; one may be named twice.
  let dependencies: [String]
  /// Makes its value of those that it depends on, by their names. When its task is cancelled, it soon ends.
  let work: @Sendable (_ values: [String: Value]) async throws -> Value
}

/// Why steps cannot be run.
enum PlanError: Error, Hashable {
  /// There is no step of this name.
  case missing(String, neededBy: String)
  /// Each of these steps depends on the next one, and the last one on the first.
  case cycle([String])
}

/// What became of a step.
enum Outcome<Value: Sendable>: Sendable {
  case value(Value)
  case failed(any Error)
  /// Something that it depends on, itself or through others, has failed.
  case notBegun
}

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
      guard let (name, outcome) = try await group.next() else { return outcomes }
      running -= 1
      outcomes[name] = outcome
    }
  }
}
// endregion

// region step
extension Step {
  func isReady(_ outcomes: [String: Outcome<Value>]) -> Bool {
    dependencies.allSatisfy { outcomes[$0] != nil }
  }

  /// The values that it depends on; nil if one of them is not there.
  func values(in outcomes: [String: Outcome<Value>]) -> [String: Value]? {
    var values: [String: Value] = [:]
    for name in dependencies {
      guard case .value(let value) = outcomes[name] else { return nil }
      values[name] = value
    }
    return values
  }
}
// endregion

// region refuse
private func refuseImpossible<Value>(_ steps: [Step<Value>]) throws {
  let dependencies = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.dependencies) })
  for step in steps {
    if let name = step.dependencies.first(where: { dependencies[$0] == nil }) {
      throw PlanError.missing(name, neededBy: step.name)
    }
  }
  // Steps that could run are taken away, until none is left that could.
  var stuck = Set(dependencies.keys)
  while let name = stuck.first(where: { stuck.isDisjoint(with: dependencies[$0]!) }) {
    stuck.remove(name)
  }
  guard var name = stuck.first else { return }
  // Each of the others depends on another one of them, so the path comes to a name a second time.
  var path: [String] = []
  while !path.contains(name) {
    path.append(name)
    name = dependencies[name]!.first(where: stuck.contains)!
  }
  throw PlanError.cycle(Array(path.drop { $0 != name }))
}
// endregion
