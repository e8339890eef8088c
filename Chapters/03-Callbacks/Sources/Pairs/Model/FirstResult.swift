import Synchronization

/// A completion that is called once: the first result counts.
final class FirstResult<Value: Sendable>: Sendable {
  private let completion: Mutex<Completion<Value>?>

  init(_ completion: @escaping Completion<Value>) { self.completion = Mutex(completion) }

  var isThere: Bool { completion.withLock { $0 == nil } }

  @Sendable func take(_ result: Result<Value, any Error>) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(result)
  }
}
