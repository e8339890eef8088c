import PrioritySimulation
import Workbook

extension Demo {
  static let table = Demo(
    "table",
    asks:
      "High waits for what low has. Simulated, with threads, with tasks: does it wait for middle?",
    sides: [
      .before(
        "every cell", .allowed("as claimed"),
        .allowed(skipped, "what is simulated and what is Swift's is as claimed"),
        .forbidden("not as claimed")
      ) { transcript in
        var isAsClaimed = true
        var isSkipped = false
        transcript.row([
          "high waits for", "simulated: high is", "threads: high is", "tasks: high is",
        ])
        for row in TableRow.all {
          let cells = try await row.measured()
          transcript.row([row.title] + cells)
          isAsClaimed = isAsClaimed && row.isClaimed(cells)
          isSkipped = isSkipped || cells.contains(skipped)
        }
        return isAsClaimed ? isSkipped ? skipped : "as claimed" : "not as claimed"
      }
      .code("DemosTable.swift", "TableRow(\"a semaphore\"")
    ])
}

/// A row of the text's table, and where each of its cells is measured.
struct TableRow: Sendable {
  let title: String
  /// Whether whoever has what high wants is raised.
  let isRaised: Bool
  let policy: LockingProtocol
  let thread: (name: String, hazard: Hazard)?
  let task: Awaited?

  init(
    _ title: String, _ isRaised: Bool, _ policy: LockingProtocol,
    _ thread: (name: String, hazard: Hazard)?, _ task: Awaited?
  ) {
    self.title = title
    self.isRaised = isRaised
    self.policy = policy
    self.thread = thread
    self.task = task
  }

  static let all = [
    TableRow("a semaphore", false, .noProtocol, ("DispatchSemaphore", .semaphore), .semaphore),
    TableRow("a lock without a protocol", false, .noProtocol, ("NSLock", .lock), nil),
    TableRow("a queue", false, .fifoQueue, ("queue.sync", .serialQueue), .stream),
    TableRow("a queue with override", true, .fifoQueueWithOverride, nil, .chain),
    TableRow(
      "a lock with inheritance", true, .inheritance, ("PTHREAD_PRIO_INHERIT", .with(middle: 20)),
      .value),
    TableRow("a Mutex", true, .inheritance, ("Mutex", .mutex), nil),
    TableRow(
      "a ceiling", true, .immediateCeiling, ("PTHREAD_PRIO_PROTECT", .protect), .escalated),
  ]

  /// The cells behind the title: simulated, threads, tasks.
  func measured() async throws -> [String] {
    var cells = [try simulated()]
    if let thread {
      let outcome = try await thread.hazard.run().outcome
      cells.append(outcome == skipped ? skipped : "\(thread.name): \(short(outcome))")
    } else {
      cells.append("—")
    }
    if let task {
      let story = await encounter(awaiting: task, middle: 20)
      let wait = story.time(of: .highIsInside)! - story.time(of: .highAsks)!
      cells.append("\(short(story.verdict)), \(wait) job\(wait == 1 ? "" : "s")")
    } else {
      cells.append("—")
    }
    return cells
  }

  private func simulated() throws -> String {
    let simulation = try simulate(.inversion(middle: 200), under: policy)
    let (high, middle) = (simulation.responses[0], simulation.responses[1])
    let isBefore = high.completion! < middle.completion!
    return "\(isBefore ? "before" : "after") middle, \(high.blocked) ticks"
  }

  /// The title of the table says that it is about high.
  private func short(_ verdict: String) -> String { verdict.replacing("high ", with: "") }

  /// Whether each cell that was measured says what the row claims.
  func isClaimed(_ cells: [String]) -> Bool {
    let claim = isRaised ? "before middle" : "after middle"
    return cells.allSatisfy { $0 == "—" || $0 == skipped || $0.contains(claim) }
  }
}
