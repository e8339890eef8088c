public import Interleaving
public import Testing

extension Exploration {
  /// Records an issue for each failure, with its trace and the line to paste for a replay, and one if
  /// the exploration was cut short.
  ///
  /// - Parameter sourceLocation: Where the issues are recorded.
  public func expectNoFailures(sourceLocation: SourceLocation = #_sourceLocation) {
    for failure in failures {
      Issue.record("\(failure)", sourceLocation: sourceLocation)
    }
    if failures.isEmpty, completeness.isCutShort {
      Issue.record(
        "\(schedules) schedules without a failure, but \(completeness)",
        sourceLocation: sourceLocation)
    }
  }
}
