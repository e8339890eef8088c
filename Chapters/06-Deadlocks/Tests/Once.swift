import Workbook

@testable import Deadlocks

// Children and explorations are what the suite spends its time on; each is run once in this process, however
// many tests look at it.

/// What an exploration shows.
func explored(_ scenario: Scenario, _ version: Version) async -> VersionResult {
  await explorations.value(of: "\(scenario.name): \(version.mechanism)") { await version.explore() }
}

/// What a side of a demo shows.
func shown(_ side: Side) async -> SideResult {
  guard let hazard = side.hazard else { return await side.run() }
  return await children.value(of: hazard.id) { await side.run() }
}

/// How a hazard's child ended, or that no demo has it.
func ending(of hazard: Hazard) async -> String {
  let sides = Chapter.deadlocks.demos.flatMap(\.sides)
  guard let side = sides.first(where: { $0.hazard?.id == hazard.id }) else {
    return "no demo has \(hazard.id)"
  }
  return await shown(side).outcome
}

private let explorations = Once<VersionResult>()
private let children = Once<SideResult>()

/// Values by name, each found once.
private actor Once<Value: Sendable> {
  private var inFlight: [String: Task<Value, Never>] = [:]

  func value(of name: String, _ find: @escaping @Sendable () async -> Value) async -> Value {
    let task = inFlight[name] ?? Task { await find() }
    inFlight[name] = task
    return await task.value
  }
}
