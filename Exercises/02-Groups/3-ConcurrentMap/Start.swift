/// Transforms items at the same time, but not more than so many of them.
///
/// When it returns or throws, no transformation is at work any more.
///
/// - Parameters:
///   - items: What is transformed, each once.
///   - limit: How many are at work at once, 1 or more. The first so many begin at once. As soon as one of them
///     is done, the next in the list begins.
///   - transform: Makes a value of an item. When its task is cancelled it soon ends.
/// - Returns: The values, in the order of the items.
/// - Throws: The first error of `transform`. The others are cancelled then, and no item is begun any more.
///   The same if the caller is cancelled, with `CancellationError`.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  // Was: an OperationQueue with maxConcurrentOperationCount = limit
  // TODO: Keep to the limit, and return the values in the order of the items.
  try await withThrowingTaskGroup(of: Value.self) { group in
    for item in items {
      group.addTask { try await transform(item) }
    }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}
