import Interleaving
import Workbook

import func DeadlocksWatched.watched

extension Demo {
  static let table = Demo(
    "table",
    asks: "Each scenario: how it ends, what the explorer says, what the detector says, its cure?",
    sides: [
      .before(
        "every scenario", .allowed("each ends, is found and is cured as claimed"),
        .forbidden("not as claimed")
      ) { transcript in
        var isAsClaimed = true
        for row in try await TableRow.measured(TableRow.all) {
          transcript.say(row.cells.joined(separator: " | "))
          isAsClaimed = isAsClaimed && row.isAsClaimed
        }
        return isAsClaimed ? "each ends, is found and is cured as claimed" : "not as claimed"
      }
    ])
}

/// A row of the text's table, and where each of its cells is measured.
struct TableRow: Sendable {
  let title: String
  let hazard: Hazard
  let scenario: Scenario
  let mechanism: String
  let cure: String
  let cureMechanism: String

  init(
    _ title: String, _ hazard: Hazard, _ scenario: Scenario, _ mechanism: String,
    cure: String, _ cureMechanism: String
  ) {
    self.title = title
    self.hazard = hazard
    self.scenario = scenario
    self.mechanism = mechanism
    self.cure = cure
    self.cureMechanism = cureMechanism
  }

  /// What a row's cells hold, and whether that is a deadlock, found and cured.
  typealias Measured = (cells: [String], isAsClaimed: Bool)

  /// Measures the rows' cells: all children side by side, then the schedules.
  ///
  /// - Parameters:
  ///   - play: Plays a hazard in a child; it returns how that ended.
  ///   - explore: Explores a version of a scenario.
  static func measured(
    _ rows: [TableRow],
    play: @escaping @Sendable (Hazard) async throws -> String = { try await $0.run().outcome },
    explore: (Scenario, Version) async -> VersionResult = { await $1.explore() }
  ) async throws -> [Measured] {
    let endings = try await withThrowingTaskGroup(of: (Int, String, String).self) { group in
      for (index, row) in rows.enumerated() {
        group.addTask {
          async let live = play(watched(row.hazard))
          return (index, try await play(row.hazard), try await live)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = ($1.1, $1.2) }
    }
    var measured: [Measured] = []
    for (index, row) in rows.enumerated() {
      let hazard = await explore(row.scenario, row.version(row.mechanism))
      let cured = await explore(row.scenario, row.version(row.cureMechanism))
      measured.append(row.cells(endings[index]!.0, hazard, endings[index]!.1, cured))
    }
    return measured
  }

  private func cells(
    _ real: String, _ hazard: VersionResult, _ live: String, _ cured: VersionResult
  ) -> Measured {
    let failure = hazard.entries.first { $0.standing == .surprising }?.failure
    let isComplete = if case .complete = cured.completeness { true } else { false }
    let isClean = cured.holds && cured.entries.allSatisfy { $0.failure == nil } && isComplete
    let cells = [
      title, real, failure.map(Self.verdict) ?? "nothing", live,
      "\(cure): \(isClean ? "clean in \(cured.schedules), complete" : "not clean")",
    ]
    let isAsClaimed =
      ["hang", "trap", "fatal error"].contains(real) && failure != nil && isClean
      && ["deadlock, confirmed", "suspected", "blocking wait", "hang: "]
        .contains(where: live.hasPrefix)
    return (cells, isAsClaimed)
  }

  private func version(_ mechanism: String) -> Version {
    guard let version = scenario.versions.first(where: { $0.mechanism == mechanism }) else {
      preconditionFailure("\(scenario.name) has no version “\(mechanism)”")
    }
    return version
  }

  /// As in: trap. As in: a cycle of 2. As in: suspected.
  private static func verdict(_ failure: Failure) -> String {
    if failure.kind == .trap { return "trap" }
    if failure.message.contains("suspected") { return "suspected" }
    return String(failure.message.prefix { $0 != ":" })
  }
}

extension TableRow {
  static let all = [
    TableRow(
      "a listener asks the queue that calls it", .ownQueue, .ownQueue, "serial queue, told inside",
      cure: "told after", "serial queue, told after"),
    TableRow(
      "the same under an NSLock", .ownLock, .ownQueue, "NSLock, told inside",
      cure: "a Mutex, told after", "Mutex, told after"),
    TableRow(
      "the same under a Mutex", .ownMutex, .ownQueue, "Mutex, told inside",
      cure: "told after", "Mutex, told after"),
    TableRow(
      "main from main", .mainFromMain, .mainFromMain, "main.sync",
      cure: "a callback", "main.async and a callback"),
    TableRow(
      "two queues crosswise", .twoQueues, .twoQueues, "two queues, crosswise",
      cure: "one queue", "one queue for both"),
    TableRow(
      "two NSLocks crosswise", .twoLocks, .twoLocks, "NSLock, payer first",
      cure: "lower number first", "NSLock, lower number first"),
    TableRow(
      "two Mutexes crosswise", .twoMutexes, .twoLocks, "Mutex, payer first",
      cure: "one at a time", "Mutex, one at a time"),
    TableRow(
      "two queues, one target: sync", .sharedTarget, .sharedTarget,
      "sync to a queue of the same target",
      cure: "off one's own first", "off one's own queue first"),
    TableRow(
      "two queues, one target: an item", .sharedTargetItem, .sharedTarget,
      "wait for an item of the same target",
      cure: "off one's own first", "off one's own queue first"),
    TableRow(
      "a semaphore that the waiter would signal", .ownSignal, .ownSignal,
      "semaphore, in a callback", cure: "a callback", "callback in a callback"),
    TableRow(
      "a group that waits for its member", .ownGroup, .ownGroup, "one group for all",
      cure: "a group a folder", "a group a folder"),
    TableRow(
      "a leave that is missing", .missingLeave, .ownGroup, "a leave is missing",
      cure: "a group a folder", "a group a folder"),
    TableRow(
      "operations in a circle", .operationCycle, .operationCycle, "dependencies as declared",
      cure: "refused", "looked for a circle first"),
    TableRow(
      "an operation that waits for its queue", .ownOperationQueue, .ownOperationQueue,
      "waits for its part", cure: "a dependency", "its end depends on its part"),
    TableRow(
      "a blocked pool", .blockedPool, .blockedPool, "each waits on its queue",
      cure: "submitted when decoded", "submitted when decoded"),
    TableRow(
      "philosophers, on threads", .philosophers, .philosophers, "left fork first",
      cure: "lower fork first", "lower fork first"),
    TableRow(
      "philosophers, on tasks", .asyncPhilosophers, .asyncPhilosophers,
      "left fork first, two seats",
      cure: "both in one step", "both forks in one step, three seats"),
    TableRow(
      "tasks that await each other", .taskCycle, .taskCycle, "awaits the task in flight",
      cure: "refused", "refuses to close a circle"),
    TableRow(
      "a continuation nobody resumes", .forgottenContinuation, .forgottenContinuation,
      "close forgets who waits", cure: "close answers all", "close answers who waits"),
    TableRow(
      "a stream never finished", .unfinishedStream, .unfinishedStream, "finished at the end",
      cure: "`defer`", "finished on every path"),
    TableRow(
      "a blocked cooperative pool", .blockedCooperativePool, .blockedMainActor,
      "semaphore around a task", cure: "await", "await"),
    TableRow(
      "a lock held while resuming", .cancelUnderLock, .cancelUnderLock, "resumed under the lock",
      cure: "resumed after it", "resumed after it"),
  ]
}
