// Looks right: from some item on, each waits until another is done. Wrong: it begins to wait one item late.

// region concurrentMap
/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var values = [Value?](repeating: nil, count: items.count)
    for (index, item) in items.enumerated() {
      if index > limit, let (done, value) = try await group.next() { values[done] = value }
      group.addTask { (index, try await transform(item)) }
    }
    for try await (done, value) in group { values[done] = value }
    return values.map { $0! }
  }
}
// endregion
