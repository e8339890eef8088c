// Looks right: each child takes a permit before its item begins, and gives it back in any case. Wrong: children take
// permits in any order, and after an error a permit goes to the next item before the group hears of the error.

// region concurrentMap
/// So many may be at work.
private actor Permits {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ free: Int) { self.free = free }

  func take() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  let permits = Permits(limit)
  return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    for (index, item) in items.enumerated() {
      group.addTask {
        await permits.take()
        do {
          try Task.checkCancellation()
          let value = try await transform(item)
          await permits.give()
          return (index, value)
        } catch {
          await permits.give()
          throw error
        }
      }
    }
    var values = [Value?](repeating: nil, count: items.count)
    for try await (done, value) in group { values[done] = value }
    return values.map { $0! }
  }
}
// endregion
