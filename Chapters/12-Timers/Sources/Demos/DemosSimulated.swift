import PrioritySimulation
import Workbook

extension Demo {
  static let saveBehindExport = Demo(
    "save-behind-export",
    asks: "A window closes when its document is saved, behind an export. How long does it wait?",
    sides: [
      Side.simulated(
        one(queue: true), .noProtocol, as: "one queue for the timer and the export",
        .surprising("blocked for 49 ticks", "30 of work that has to do with neither"),
        .forbidden("blocked for 0 ticks")
      ).code("AutosaverSource.swift", "try queue.sync"),
      Side.simulated(
        one(queue: false), .noProtocol, as: "a queue of the autosaver's own",
        .allowed("blocked for 0 ticks", "the export holds nothing that the save needs"),
        .forbidden("blocked for 49 ticks")
      ).code("AutosaverSource.swift", "DispatchQueue(label:"),
    ])

  /// The export has 19 ticks to go when the window is closed, on the tick behind it; other work comes between.
  private static func one(queue: Bool) -> TaskSet {
    .urgent("close", behind: "export", sharing: queue ? "queue" : nil)
  }
}
