import Synchronization
import Workbook

extension Subject {
  static let operationCycle = Subject(
    "operation-cycle",
    asks:
      "Photos need the token, the token needs the log, and the log needs the photos. What runs?",
    right: .allowed("refused: log photos token"),
    implementations: [
      .before(
        "dependencies as declared", .deadlock("none is ever ready, and nobody says so")
      ) { stage in
        stage.aboutToBlock("waitUntilAllOperationsAreFinished()")
        Waiting.SyncPlan().run(cycle) { stage.say($0) }
        return "ran"
      }
      .code("SyncPlanInACycle.swift", "for need in")
      .alwaysWrong
      .watched("deadlock, confirmed: 3 operations", "when the last one is added")
      .found(
        "a cycle of 3: BlockOperation waits for the dependencies of BlockOperation, held by "
          + "BlockOperation 2; BlockOperation 2 waits for the dependencies of BlockOperation 2, "
          + "held by BlockOperation 3; BlockOperation 3 waits for the dependencies of "
          + "BlockOperation 3, held by BlockOperation"),
      .before("looked for a cycle first") { _ in
        do {
          try Checked.SyncPlan().run(cycle) { _ in }
          return "ran"
        } catch let cycle as Checked.SyncPlan.Cycle {
          return "refused: \(cycle.names.joined(separator: " "))"
        }
      }
      .code("SyncPlanOperation.swift", "let needs = Dictionary"),
      .after(
        "async functions", .allowed("token first, log last", "a cycle cannot be written")
      ) { _ in
        let ran = Mutex<[String]>([])
        await Awaited.SyncPlan().run { name in ran.withLock { $0.append(name) } }
        let names = ran.withLock { $0 }
        return names.count == 4 && names.first == "token" && names.last == "log"
          ? "token first, log last" : "another order"
      }
      .code("SyncPlanAsync.swift", "await work("),
    ])
}

private let cycle = [
  Feature("photos", needs: ["token"]), Feature("token", needs: ["log"]),
  Feature("log", needs: ["photos"]),
]
