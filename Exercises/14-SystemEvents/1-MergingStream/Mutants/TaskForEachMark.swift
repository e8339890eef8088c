// Looks right: an actor unites the marks, so no lock is needed. Wrong: each mark is a task, and the end may come before
// it.

import Synchronization

/// The parts of a document that have to be drawn again. It stays as it is.
struct Parts: OptionSet, Hashable, Sendable {
  let rawValue: UInt
}

/// Tells a loop which parts of a document were marked since it has asked last.
///
/// The check uses `Parts`, `init()`, `mark(_:)`, `finish()`, and `for await`.
final class DirtyParts: AsyncSequence, Sendable {
  private actor Marks {
    private var marked = Parts()
    private var isFinished = false

    func add(_ parts: Parts) {
      if !isFinished { marked.formUnion(parts) }
    }

    func end() { isFinished = true }

    func take() -> Parts {
      defer { marked = [] }
      return marked
    }
  }

  private let marks = Marks()
  private let (bells, bell) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Marks parts; an empty set marks nothing.
  func mark(_ parts: Parts) {
    Task {
      await marks.add(parts)
      bell.yield()
    }
  }

  /// Ends it behind what was marked.
  func finish() {
    Task {
      await marks.end()
      bell.finish()
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(parts: self) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let parts: DirtyParts

    func next() async -> Parts? {
      for await _ in parts.bells {
        let marked = await parts.marks.take()
        if !marked.isEmpty { return marked }
      }
      return nil
    }
  }
}
