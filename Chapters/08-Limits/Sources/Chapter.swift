import LimitsExplored
public import Workbook

extension Chapter {
  /// Too many at once: how many threads and children there are, and what keeps them few.
  public static let limits = Chapter(
    8, "Limits", "too many threads, and how to have fewer",
    Limits.subjects, explored: LimitsExplored.subjects,
    demos: [
      .whereBlocksRun, .oneCore, .explosion, .lastQueue, .gate, .atMostThree, .childrenAdded,
      .heldByLow,
    ])
}
