import PrioritySimulation
import Workbook

extension Demo {
  static let urgentWriter = Demo(
    "urgent-writer",
    asks: "An urgent writer waits for two readers, and a third job computes. When does it write?",
    sides: [
      Side.simulated(
        .urgentWriter, .noProtocol,
        .surprising("blocked for 40 ticks", "30 of a job that neither reads nor writes"),
        .forbidden("blocked for 10 ticks")
      ),
      Side.simulated(
        .urgentWriter, .inheritance,
        .allowed("blocked for 10 ticks", "if a lock knew its readers, it could raise each of them"),
        .forbidden("blocked for 40 ticks")
      ),
    ].map { $0.code("DemosUrgentWriter.swift", "\"writer\", priority: 4") })
}

extension TaskSet {
  /// Each reader holds a lock of its own, and the writer wants both: so a readers–writers lock looks to a scheduler that
  /// knows who is inside.
  static let urgentWriter = TaskSet(
    jobs: [
      Job(
        "writer", priority: 4, release: 2,
        [
          .lock("reader 1"), .lock("reader 2"), .compute(2), .unlock("reader 2"),
          .unlock("reader 1"),
        ]
      ),
      Job("other", priority: 3, release: 2, [.compute(30)]),
      Job(
        "reader 2", priority: 2, release: 1, [.lock("reader 2"), .compute(6), .unlock("reader 2")]),
      Job("reader 1", priority: 1, [.lock("reader 1"), .compute(6), .unlock("reader 1")]),
    ],
    locks: ["reader 1", "reader 2"])
}
