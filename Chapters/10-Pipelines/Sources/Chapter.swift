import PipelinesExplored
public import Workbook

extension Chapter {
  /// A page is fetched, and then parsed: what is handed over, what goes wrong on the way, and who is told.
  public static let pipelines = Chapter(
    10, "Pipelines", "fetch, then parse; retry, timeout",
    Pipelines.subjects, explored: PipelinesExplored.subjects,
    demos: [.search, .closedConnection, .visibleParse])
}
