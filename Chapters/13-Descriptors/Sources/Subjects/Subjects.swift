import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .wholeFile, .oneByte, .twoLines, .fullDisk, .sharedLog, .copiedFile, .nextOwner, .twoSources,
  .nextReader, .halfWritten, .bothFull, .echoedMessage,
]
