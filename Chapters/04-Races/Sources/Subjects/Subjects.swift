import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .criticalSection, .lostUpdate, .checkThenAct, .tornInvariant, .unsynchronisedArray,
  .lazyInitialisation, .reentrancy, .awaitLostUpdate, .awaitCheckThenAct, .reentrantCache,
]
