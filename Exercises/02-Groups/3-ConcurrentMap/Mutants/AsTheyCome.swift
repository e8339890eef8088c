// Looks right: one is awaited before the next begins, so the values seem to come in order. Wrong: whichever ends first
// comes first.

// region concurrentMap
/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: Value.self) { group in
    var values: [Value] = []
    for (index, item) in items.enumerated() {
      if index >= limit, let value = try await group.next() { values.append(value) }
      group.addTask { try await transform(item) }
    }
    for try await value in group { values.append(value) }
    return values
  }
}
// endregion
