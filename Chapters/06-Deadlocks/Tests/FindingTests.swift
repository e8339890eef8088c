import Interleaving
import Testing
import Workbook

@testable import Deadlocks

/// What the explorer says of each deadlock: the cycle, or who waits.
@Suite(.timeLimit(.minutes(10))) struct FindingTests {
  /// What the explorer says of each hazard.
  static let findings: [(scenario: String, mechanism: String, message: String)] = [
    (
      "own-queue", "NSLock, told inside",
      "a cycle of 1: scenario waits for NSLock, held by scenario"
    ),
    (
      "two-queues", "two queues, crosswise",
      "a cycle of 2: A waits for queue index, held by B; B waits for queue disk, held by A"
    ),
    (
      "two-locks", "NSLock, payer first",
      "a cycle of 2: A waits for NSLock 2, held by B; B waits for NSLock, held by A"
    ),
    (
      "two-locks", "Mutex, payer first",
      "a cycle of 2: A waits for Mutex 2, held by B; B waits for Mutex, held by A"
    ),
    (
      "shared-target", "wait for an item of the same target",
      "a cycle of 2: scenario waits for the end of DispatchWorkItem, held by originals 1; "
        + "originals 1 waits for queue disk, held by scenario"
    ),
    (
      "operation-cycle", "dependencies as declared",
      "a cycle of 3: BlockOperation waits for the dependencies of BlockOperation, held by "
        + "BlockOperation 2; BlockOperation 2 waits for the dependencies of BlockOperation 2, held by "
        + "BlockOperation 3; BlockOperation 3 waits for the dependencies of BlockOperation 3, held by "
        + "BlockOperation"
    ),
    (
      "own-operation-queue", "waits for its part",
      "a cycle of 2: BlockOperation waits for the end of BlockOperation 2, held by BlockOperation 2; "
        + "BlockOperation 2 waits for the turn of BlockOperation 2, held by BlockOperation"
    ),
    (
      "philosophers", "left fork first",
      "a cycle of 3: A waits for NSLock 2, held by B; B waits for NSLock 3, held by C; C waits for "
        + "NSLock, held by A"
    ),
    (
      "task-cycle", "awaits the task in flight",
      "a cycle of 2: task 1 waits for the value of task 1.1; task 1.1 waits for the value of task 1"
    ),
  ]

  /// What has no holder is suspected, and all who wait are listed.
  static let suspicions: [(scenario: String, mechanism: String, waiting: String)] = [
    (
      "own-signal", "semaphore, in a callback",
      "scenario waits for DispatchSemaphore; network 1 waits for DispatchSemaphore 2; network 2 waits "
        + "for queue network, held by network 1"
    ),
    (
      "own-group", "one group for all",
      "scenario waits for DispatchGroup; global 1 waits for DispatchGroup"
    ),
    ("own-group", "a leave is missing", "scenario waits for DispatchGroup"),
    (
      "blocked-pool", "each waits on its queue",
      "scenario waits for DispatchGroup; photo 1 1 waits for DispatchSemaphore; photo 2 1 waits for "
        + "DispatchSemaphore; decoder 1 waits for one of 2 workers"
    ),
    (
      "blocked-main-actor", "semaphore around a task",
      "scenario waits for DispatchSemaphore; task 1 waits for something unknown"
    ),
    (
      "forgotten-continuation", "close forgets its waiters",
      "scenario waits for its child task A; A waits for a continuation"
    ),
    (
      "unfinished-stream", "finished at the end",
      "scenario waits for the value of task 1; task 1 waits for a continuation"
    ),
  ]

  @Test(arguments: findings.indices)
  func `the cycle is named`(index: Int) async throws {
    let finding = Self.findings[index]
    try await expect(finding.message, of: finding.scenario, finding.mechanism)
  }

  @Test(arguments: suspicions.indices)
  func `who waits is named where no cycle can be`(index: Int) async throws {
    let suspicion = Self.suspicions[index]
    try await expect(
      "nothing can go on; suspected, since who would end the waits, another task or another thread, "
        + "is not known: \(suspicion.waiting)", of: suspicion.scenario, suspicion.mechanism)
  }

  /// Expects what the explorer says of a deadlock, places aside, and that a replay gives the same trace.
  private func expect(_ message: String, of scenario: String, _ mechanism: String) async throws {
    let scenario = try #require(Chapter.deadlocks.scenario(scenario))
    let version = try #require(scenario.versions.first { $0.mechanism == mechanism })
    let result = await version.explore()
    let failure = try #require(result.entries.first { $0.standing == .surprising }?.failure)
    #expect(failure.kind == .deadlock)
    #expect(failure.message.replacing(/\ \(\w+\.swift:\d+\)/, with: "") == message)
    let schedule = try #require(failure.schedule)
    let again = try await version.replay(schedule.description)
    #expect(again.entries.first?.failure?.trace == failure.trace)
  }
}
