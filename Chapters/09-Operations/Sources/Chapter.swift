import OperationsExplored
public import Workbook

extension Chapter {
  /// Operations and their queues: states, dependencies, cancelling; and what takes their place.
  public static let operations = Chapter(
    9, "Operations", "states, dependencies, cancelling, progress",
    Operations.subjects, explored: OperationsExplored.subjects,
    demos: [.urgentDependent])
}
