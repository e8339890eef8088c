import PrioritySimulation
import Workbook

extension Demo {
  static let urgentWaiter = Demo(
    "urgent-waiter",
    asks: "An urgent thread waits for a group whose member is in the background. How long?",
    sides: [
      Side.simulated(
        waiterAndMember, .noProtocol,
        .surprising("blocked for 49 ticks", "30 of work that is in nobody's group"),
        .forbidden("blocked for 19 ticks")
      ).code("DemosSimulated.swift", "Job(\"urgent\""),
      Side.simulated(
        waiterAndMember, .inheritance,
        .allowed("blocked for 19 ticks", "a waiter lends its priority to the child"),
        .forbidden("blocked for 49 ticks")
      ).code("AlbumTaskGroup.swift", "for await (index, answer)"),
    ])

  /// A member that has 20 ticks to go is what a thread of high priority waits for from the second tick on; other work
  /// comes between. A `DispatchGroup` does not know its members, so it can lend them nothing.
  private static let waiterAndMember = TaskSet(
    jobs: [
      Job("urgent", priority: 3, release: 1, holdingGroup(for: 1)),
      Job("other", priority: 2, release: 1, [.compute(30)]),
      Job("member", priority: 1, holdingGroup(for: 20)),
    ],
    locks: ["group"])

  private static func holdingGroup(for ticks: Int) -> [Segment] {
    [.lock("group"), .compute(ticks), .unlock("group")]
  }
}
