import Foundation

/// What can be cancelled before it has begun: then it is cancelled as soon as it begins.
// Sendable because what changes is used under `lock` only.
final class Cancellation: @unchecked Sendable {
  private let lock = NSLock()
  private var isCancelled = false
  private var cancelWork: Cancel?

  /// It has begun.
  func begun(_ cancelWork: @escaping Cancel) {
    let isLate = lock.withLock {
      if !isCancelled { self.cancelWork = cancelWork }
      return isCancelled
    }
    if isLate { cancelWork() }
  }

  @Sendable func cancel() {
    let cancelWork = lock.withLock {
      isCancelled = true
      defer { self.cancelWork = nil }
      return self.cancelWork
    }
    cancelWork?()
  }
}

/// A completion that is called once: the first result counts.
// Sendable because `completion` is used under `lock` only.
final class FirstResult<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var completion: Completion<Value>?

  init(_ completion: @escaping Completion<Value>) { self.completion = completion }

  var isThere: Bool { lock.withLock { completion == nil } }

  @Sendable func take(_ result: Result<Value, any Error>) {
    let completion = lock.withLock {
      defer { self.completion = nil }
      return self.completion
    }
    completion?(result)
  }
}
