import PrioritySimulation
import Workbook

// High waits for somebody who waits himself; middle wants the lock, too.

extension Demo {
  static let chain = Demo(
    "chain",
    asks: "High waits for a lock of middle, and middle for one of low. When does high get it?",
    sides: [
      Side.simulated(
        .chain, .noProtocol, .surprising("blocked for 36 ticks", "30 of a job that wants no lock"),
        .forbidden("blocked for 6 ticks")),
      Side.simulated(
        .chain, .inheritance,
        .allowed("blocked for 6 ticks", "low has middle's priority, which is high's"),
        .forbidden("blocked for 36 ticks")),
    ].map { $0.code("DemosChains.swift", "\"middle\", priority: 3") })

  static let middleWantsIt = Demo(
    "middle-wants-it",
    asks: "Middle wants the lock, too, and asks before high. When does high get it?",
    sides: [
      Side.simulated(
        .middleWantsIt, .noProtocol,
        .allowed("blocked for 18 ticks", "nobody is left who could keep low from running"),
        .forbidden("blocked for 38 ticks")),
      Side.simulated(
        .middleWantsIt, .fifoQueue,
        .surprising("blocked for 38 ticks", "all of middle's section, which is ahead in the line"),
        .forbidden("blocked for 18 ticks")),
    ].map { $0.code("DemosChains.swift", "Job(\"high\", priority: 3, release: 2, section)") })
}

extension TaskSet {
  /// High waits for middle's lock, and middle for low's; a fourth job wants none.
  static let chain = TaskSet(
    jobs: [
      Job("high", priority: 4, release: 3, [.lock("A"), .compute(2), .unlock("A")]),
      Job(
        "middle", priority: 3, release: 1,
        [
          .lock("A"), .compute(1), .lock("B"), .compute(2), .unlock("B"), .unlock("A"),
        ]),
      Job("other", priority: 2, release: 3, [.compute(30)]),
      Job("low", priority: 1, [.lock("B"), .compute(6), .unlock("B")]),
    ],
    locks: ["A", "B"])

  /// All three want one lock.
  static let middleWantsIt: TaskSet = {
    let section: [Segment] = [.lock("lock"), .compute(20), .unlock("lock")]
    return TaskSet(
      jobs: [
        Job("high", priority: 3, release: 2, section),
        Job("middle", priority: 2, release: 1, section),
        Job("low", priority: 1, section),
      ],
      locks: ["lock"])
  }()
}
