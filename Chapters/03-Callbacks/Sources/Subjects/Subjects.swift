import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .olderAnswer, .lateContinuation, .answerOrCancel, .calledTwice, .neverCalled, .whoseThread,
  .beforeItReturns, .waitOnItsQueue,
]
