import QueuesExplored
public import Workbook

extension Chapter {
  /// Dispatch queues, work items and the main queue, and what becomes of them.
  public static let queues = Chapter(
    1, "Queues", "leave the main thread and come back; order, waiting, cancelling",
    Queues.subjects, explored: QueuesExplored.subjects,
    demos: [
      .leaveAndReturn, .mainAnswers, .batchOrder, .remindAt, .whereItRuns, .threadsByPriority,
      .mainThread, .inheritedIsolation, .urgentUpload,
    ])
}
