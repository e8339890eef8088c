import PrioritySimulation
import Workbook

extension Demo {
  static let urgentDependent = Demo(
    "urgent-dependent",
    asks: "An urgent announcement depends on an upload in the background. How long does it wait?",
    sides: [
      Side.simulated(
        .urgentDependent, .noProtocol,
        .surprising("blocked for 49 ticks", "30 of work that neither of them needs"),
        .forbidden("blocked for 19 ticks")
      ).code("DemosUrgentDependent.swift", "sharing: \"receipt\""),
      Side.simulated(
        .urgentDependent, .inheritance,
        .allowed("blocked for 19 ticks", "a task lends its priority to the one that it awaits"),
        .forbidden("blocked for 49 ticks")
      ).code("AnnouncementAsync.swift", "for upload in uploads"),
    ])
}

extension TaskSet {
  /// The announcement cannot begin before the upload has ended: in the model, the upload holds what it needs.
  static let urgentDependent = urgent("announcement", behind: "upload", sharing: "receipt")
}
