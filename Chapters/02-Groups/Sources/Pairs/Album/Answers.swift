import Foundation

/// Answers that come in any order, and are kept in the order of the requests.
// Sendable because `answers` is read and written under `lock` only.
final class Answers: @unchecked Sendable {
  private let lock = NSLock()
  private var answers: [Answer?]

  init(count: Int) {
    answers = Array(repeating: nil, count: count)
  }

  func keep(_ answer: Answer, at index: Int) {
    lock.withLock { answers[index] = answer }
  }

  /// What has come so far; nil for what has not.
  var soFar: [Answer?] { lock.withLock { answers } }

  /// What has come so far, in the order of the requests.
  var inOrder: [Answer] { soFar.compactMap(\.self) }
}
