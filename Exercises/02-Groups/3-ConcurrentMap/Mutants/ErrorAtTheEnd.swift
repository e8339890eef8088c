// Looks right: the first error is kept and thrown. Wrong: until then the other items go on, and more are begun.

// region concurrentMap
/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var values = [Value?](repeating: nil, count: items.count)
    var failure: (any Error)?
    func takeOne() async {
      switch await group.nextResult() {
      case .success(let (done, value)): values[done] = value
      case .failure(let error): failure = failure ?? error
      case nil: break
      }
    }
    for (index, item) in items.enumerated() {
      if index >= limit { await takeOne() }
      group.addTask { (index, try await transform(item)) }
    }
    for _ in items.prefix(limit) { await takeOne() }
    if let failure { throw failure }
    return values.map { $0! }
  }
}
// endregion
