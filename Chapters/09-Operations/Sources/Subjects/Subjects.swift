import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .finishedEarly, .startedByHand, .leftBehind, .earlyReturn, .cancelledInSilence, .unguardedState,
  .toldTwice, .finishedAndExecuting, .superStarted, .ownReadiness, .failedDependency, .diamond,
]
