import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .whoseCell, .raisedWhileWaiting, .twoCallers, .landedInBetween, .oneLeaves, .nobodyWaits,
  .movedToEachOther,
]
