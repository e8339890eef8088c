import Workbook

/// What the chapter plays and explores, in the order of its text.
public let subjects: [Subject] = [
  .handOver, .goneOperation, .lostError, .cancelAll, .cancelOrAnswer, .waitInside, .cancelledDelay,
]
