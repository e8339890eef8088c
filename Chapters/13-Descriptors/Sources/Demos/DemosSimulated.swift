import PrioritySimulation
import Workbook

extension Demo {
  static let urgentBehindRead = Demo(
    "urgent-behind-read",
    asks: "An alarm comes to a queue on which a log is read. How long does it wait?",
    sides: [
      Side.simulated(
        one(queue: true), .noProtocol, as: "the read blocks the queue",
        .surprising("blocked for 49 ticks", "30 of work that is not on that queue"),
        .forbidden("blocked for 0 ticks")
      ).code("LinesBlockingRead.swift", "queue.async"),
      Side.simulated(
        one(queue: true), .inheritance, as: "the read blocks it, with inheritance", in: .before,
        .surprising("blocked for 19 ticks", "it waits for the sender all the same"),
        .forbidden("blocked for 0 ticks")
      ).code("LinesBlockingRead.swift", "queue.async"),
      Side.simulated(
        one(queue: false), .noProtocol, as: "a task awaits the lines", in: .after,
        .allowed("blocked for 0 ticks", "who awaits holds nothing that the alarm needs"),
        .forbidden("blocked for 49 ticks")
      ).code("LinesAsync.swift", "let piece = try await"),
    ])

  /// The sender of the log has 19 ticks to go when the alarm comes, on the tick behind it; other work comes between.
  private static func one(queue: Bool) -> TaskSet {
    .urgent("alarm", behind: "sender", sharing: queue ? "queue" : nil)
  }
}
