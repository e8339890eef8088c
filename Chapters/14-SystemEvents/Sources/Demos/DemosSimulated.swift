import PrioritySimulation
import Workbook

extension Demo {
  static let termBehindWork = Demo(
    "term-behind-work",
    asks: "SIGTERM comes while its queue has background work. How long does its handler wait?",
    sides: [
      Side.simulated(
        one(queue: true), .noProtocol, as: "the queue of the work",
        .surprising("blocked for 49 ticks", "30 of work that is not on that queue"),
        .forbidden("blocked for 0 ticks")
      ).code("SignalsBehindWork.swift", "queue: queue"),
      Side.simulated(
        one(queue: true), .inheritance, as: "the queue of the work, with inheritance", in: .before,
        .surprising("blocked for 19 ticks", "it waits for the work all the same"),
        .forbidden("blocked for 0 ticks")
      ).code("SignalsBehindWork.swift", "queue: queue"),
      Side.simulated(
        one(queue: false), .noProtocol, as: "a queue of the signals' own", in: .after,
        .allowed("blocked for 0 ticks", "the work holds nothing that the handler needs"),
        .forbidden("blocked for 49 ticks")
      ).code("SignalsAsync.swift", "DispatchQueue(label: \"signals\")"),
    ])

  /// The work has 19 ticks to go when the signal comes, on the tick behind it; other work comes between.
  private static func one(queue: Bool) -> TaskSet {
    .urgent("SIGTERM", behind: "work", sharing: queue ? "queue" : nil)
  }
}
