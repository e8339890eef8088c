// Looks right: each of so many workers takes the next item when it is done with one. Wrong: a worker that meets an error
// keeps it and takes the next item, and the others are not cancelled.

// region concurrentMap
/// The items that wait for a worker, and the first error.
private actor Line {
  private var next = 0
  private(set) var failure: (any Error)?

  func take() -> Int {
    defer { next += 1 }
    return next
  }

  func fail(_ error: any Error) { failure = failure ?? error }
}

/// Transforms items at the same time, but not more than so many of them.
func concurrentMap<Item: Sendable, Value: Sendable>(
  _ items: [Item], atMost limit: Int,
  _ transform: @escaping @Sendable (Item) async throws -> Value
) async throws -> [Value] {
  let line = Line()
  var values = [Value?](repeating: nil, count: items.count)
  await withTaskGroup(of: [(Int, Value)].self) { group in
    for _ in 0..<limit {
      group.addTask {
        var done: [(Int, Value)] = []
        while case let index = await line.take(), index < items.count {
          do { done.append((index, try await transform(items[index]))) } catch {
            await line.fail(error)
          }
        }
        return done
      }
    }
    for await done in group { for (index, value) in done { values[index] = value } }
  }
  if let failure = await line.failure { throw failure }
  return values.map { $0! }
}
// endregion
