import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .mergedEvents, .mergedAndOver, .portMessages, .lateSignal,
  .settingsRead, .pausedAndCancelled, .handlerAndOwner, .firstSignal,
]
