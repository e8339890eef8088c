// Looks right: who is cancelled begins no other item, and leaves. Wrong: if a value comes at that moment, the values
// that are there are returned, as if they were all.

// region concurrentMap
/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var values = [Value?](repeating: nil, count: items.count)
    for (index, item) in items.enumerated() {
      if index >= limit, let (done, value) = try await group.next() { values[done] = value }
      if Task.isCancelled { break }
      group.addTask { (index, try await transform(item)) }
    }
    for try await (done, value) in group { values[done] = value }
    return values.compactMap(\.self)
  }
}
// endregion
