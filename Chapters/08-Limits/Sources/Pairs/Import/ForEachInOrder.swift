extension Array where Element: Sendable {
  /// Runs a child task for each element, at most `width` at a time. The parent takes the results in the order of the
  /// elements, and keeps at most four times as many that are early.
  ///
  /// - Parameters:
  ///   - width: How many children there are at a time, 1 or more.
  ///   - transform: What each child does.
  ///   - take: What the parent does with each result.
  /// - Throws: The first error of `transform`, or `CancellationError`; the other children are cancelled then, and have
  ///   ended.
  nonisolated(nonsending) func forEachInOrder<Value: Sendable>(
    width: Int, _ transform: @escaping @Sendable (Element) async throws -> Value,
    then take: (Value) -> Void
  ) async throws {
    precondition(width >= 1, "a width is 1 or more")
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      var early: [Int: Value] = [:]
      var (added, ended, taken) = (0, 0, 0)
      while ended < count {
        try Task.checkCancellation()
        while added < count, added - ended < width, added - taken < 4 * width {
          let (index, element) = (added, self[added])
          group.addTask { (index, try await transform(element)) }
          added += 1
        }
        if let (index, value) = try await group.next() { early[index] = value }
        ended += 1
        while let value = early.removeValue(forKey: taken) {
          take(value)
          taken += 1
        }
      }
    }
  }
}
