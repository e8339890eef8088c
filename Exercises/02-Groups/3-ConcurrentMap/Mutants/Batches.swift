// Looks right: never more than the limit, and each batch has its order. Wrong: the next batch waits for the slowest of
// this one.

// region concurrentMap
/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  var values: [Value] = []
  for start in stride(from: 0, to: items.count, by: limit) {
    let batch = items[start..<min(start + limit, items.count)]
    values += try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      for (index, item) in batch.enumerated() {
        group.addTask { (index, try await transform(item)) }
      }
      var done = [Value?](repeating: nil, count: batch.count)
      for try await (index, value) in group { done[index] = value }
      return done.map { $0! }
    }
  }
  return values
}
// endregion
