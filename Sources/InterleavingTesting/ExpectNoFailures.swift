public import Interleaving
public import Testing

extension Exploration {
  /// Records an issue for each failure, with its trace and the line to paste for a replay, and one if
  /// schedules are left.
  ///
  /// - Parameters:
  ///   - isPartial: Whether schedules may be left, as with ``Strategy/random(seed:)``.
  ///   - sourceLocation: Where the issues are recorded.
  public func expectNoFailures(
    partial isPartial: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for failure in failures {
      Issue.record("\(failure)", sourceLocation: sourceLocation)
    }
    if !isPartial, !isComplete, failures.isEmpty {
      Issue.record(
        "\(schedules) schedules without a failure, but \(completeness)",
        sourceLocation: sourceLocation)
    }
  }
}
