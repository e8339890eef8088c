import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .announcedEarly, .betweenQueues, .enterTooLate, .wrongBranch, .extraLeave, .forgottenLeave,
  .lostLight,
  .firstAnswer, .loser, .firstError, .timeOver, .greyRows,
]
