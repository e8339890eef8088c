// Looks right: the order is kept, since the oldest task is awaited first. Wrong: a slow one at the front holds up the
// next, and nobody cancels the tasks.

// region concurrentMap
/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  var tasks: [Task<Value, any Error>] = []
  var values: [Value] = []
  for item in items {
    if tasks.count - values.count == limit {
      values.append(try await tasks[values.count].value)
    }
    tasks.append(Task { try await transform(item) })
  }
  while values.count < items.count { values.append(try await tasks[values.count].value) }
  return values
}
// endregion
