import PrioritySimulation
import Workbook

extension Demo {
  static let mainWaitsForImport = Demo(
    "main-waits-for-import",
    asks: "An import runs in the background, and main waits for it. How long?",
    sides: [
      Side.simulated(
        mainAndImport, .noProtocol,
        .surprising("blocked for 49 ticks", "30 of work that has nothing to do with either"),
        .forbidden("blocked for 19 ticks")
      ).code("DemosInversion.swift", "Job(\"urgent\""),
      Side.simulated(
        mainAndImport, .inheritance,
        .allowed("blocked for 19 ticks", "a task that awaits the import lends it its priority"),
        .forbidden("blocked for 49 ticks")
      ).code("StoreActor.swift", "try await task.value"),
    ])

  /// An import that has 20 ticks to go is what main waits for from the second tick on; other work comes between. On Linux
  /// a queue lends nothing to what runs on it.
  private static let mainAndImport = TaskSet(
    jobs: [
      Job("urgent", priority: 3, release: 1, holdingContext(for: 1)),
      Job("other", priority: 2, release: 1, [.compute(30)]),
      Job("import", priority: 1, holdingContext(for: 20)),
    ],
    locks: ["context"])

  private static func holdingContext(for ticks: Int) -> [Segment] {
    [.lock("context"), .compute(ticks), .unlock("context")]
  }
}
