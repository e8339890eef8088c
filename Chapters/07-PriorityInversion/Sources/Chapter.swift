import PriorityInversionExplored
public import Workbook

extension Chapter {
  /// The urgent waits for the less urgent, and what ends it.
  public static let priorityInversion = Chapter(
    7, "PriorityInversion", "the urgent waits for the less urgent: simulated, real, and in Swift",
    PriorityInversion.subjects, explored: PriorityInversionExplored.subjects,
    demos: [
      .threeJobs, .chain, .middleWantsIt, .unbounded, .threeThreads, .spinning, .marsPathfinder,
      .ceiling, .headOfLine, .starvation,
      .qualityOfService, .escalation, .whereEscalationEnds, .groupPriorities, .refusedInput, .table,
    ])
}
