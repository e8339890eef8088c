import Synchronization

/// The parts of a document that have to be drawn again. It stays as it is.
struct Parts: OptionSet, Hashable, Sendable {
  let rawValue: UInt
}

/// Tells a loop which parts of a document were marked since it has asked last.
///
/// The check uses `Parts`, `init()`, `mark(_:)`, `finish()`, and `for await`.
final class DirtyParts: AsyncSequence, Sendable {
  // region state
  private let state = Mutex((marked: Parts(), isFinished: false))
  /// Rings when something was marked; it may have been taken since.
  private let (bells, bell) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  // endregion

  // region mark
  /// Marks parts; an empty set marks nothing.
  func mark(_ parts: Parts) {
    state.withLock { state in
      guard !state.isFinished, !parts.isEmpty else { return }
      state.marked.formUnion(parts)
      bell.yield()
    }
  }
  // endregion

  // region finish
  /// Ends it behind what was marked.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      bell.finish()
    }
  }
  // endregion

  func makeAsyncIterator() -> Iterator { Iterator(parts: self) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let parts: DirtyParts

    func next() async -> Parts? { await parts.next() }
  }

  // region next
  /// What was marked since it was called last; nil at the end, or if the task is cancelled.
  private func next() async -> Parts? {
    for await _ in bells {
      let marked = state.withLock { state in
        defer { state.marked = [] }
        return state.marked
      }
      if !marked.isEmpty { return marked }
    }
    return nil
  }
  // endregion
}
