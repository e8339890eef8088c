import Synchronization

/// The answers to the requests of an album, which come from any thread.
final class Answers: Sendable {
  private let answers: Mutex<[Answer?]>

  init(count: Int) { answers = Mutex(Array(repeating: nil, count: count)) }

  func keep(_ answer: Answer, at index: Int) { answers.withLock { $0[index] = answer } }

  /// The receipts that are there.
  var receipts: [Receipt] { answers.withLock { $0.compactMap { try? $0?.get() } } }

  /// All receipts.
  ///
  /// - Throws: The first error, or that a photo was not sent.
  func all() throws -> [Receipt] {
    try answers.withLock { answers in
      try answers.map { answer in
        guard let answer else { throw NotSent() }
        return try answer.get()
      }
    }
  }

  struct NotSent: Error {}
}
