import ReadersWritersExplored
public import Workbook

extension Chapter {
  /// Many read and few write: barriers, readers–writers locks, snapshots, and what is made once.
  public static let readersWriters = Chapter(
    5, "ReadersWriters", "many readers, one writer: barriers, locks, snapshots; and once",
    ReadersWriters.subjects, explored: ReadersWritersExplored.subjects,
    demos: [.writerStarves, .urgentWriter])
}

/// The photo managers under every schedule of some callers; see `histories`.
func history(of callers: [String], explained: Set<String>) -> Scenario {
  let subject = ReadersWritersExplored.histories(of: callers, explained: explained)
  return Chapter(5, "ReadersWriters", "", [], explored: [subject]).scenarios[0]
}
