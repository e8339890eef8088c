import Workbook

import func DeadlocksWatched.watched

extension Chapter {
  /// Waits that never end, and what ends them.
  public static let deadlocks = Chapter(
    6, "Deadlocks", "waits that never end: on queues, locks, semaphores, operations, and tasks",
    demos: [
      .ownQueue, .mainFromMain, .twoQueues, .twoLocks, .sharedTarget, .ownSignal, .ownGroup,
      .operationCycle, .ownOperationQueue, .blockedPool, .philosophers, .taskCycle,
      .forgottenContinuation, .unfinishedStream, .blockedCooperativePool, .cancelUnderLock, .table,
    ],
    scenarios: [
      .ownQueue, .mainFromMain, .twoQueues, .twoLocks, .sharedTarget, .ownSignal, .ownGroup,
      .operationCycle, .ownOperationQueue, .blockedPool, .philosophers, .cancelUnderLock,
      .twoActors, .twoPurses, .taskCycle, .twoTaskCycle, .forgottenContinuation,
      .unfinishedStream, .blockedMainActor, .asyncPhilosophers,
    ])
}

extension Side {
  /// The same code under watch: its child ends with the word of the detector, before it blocks.
  static func watched(
    _ era: Era, _ mechanism: String, _ hazard: Hazard, _ verdict: String, _ why: String
  ) -> Side {
    .hazard(
      era, "\(mechanism), watched", DeadlocksWatched.watched(hazard), .surprising(verdict, why),
      .forbidden("hang"))
  }
}
