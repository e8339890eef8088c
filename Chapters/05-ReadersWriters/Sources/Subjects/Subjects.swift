import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .twoAdds, .readDuringWrite, .writeWithoutBarrier, .syncInBarrier, .ownWrite, .contentAdded,
  .shallowCopy, .letArray, .once, .onceAsync, .onceFailed, .onceCancelled, .writersTakeTurns,
  .readersAndWriter, .wokenOnce, .snapshotLostUpdate,
]
