import DeadlocksExplored
import DeadlocksWatched
public import Workbook

extension Chapter {
  /// Waits that never end, and what ends them.
  public static let deadlocks = Chapter(
    6, "Deadlocks", "waits that never end: on queues, locks, semaphores, operations, and tasks",
    Deadlocks.subjects, explored: DeadlocksExplored.subjects, watched: DeadlocksWatched.subjects,
    demos: [.poolByPriority])
}
