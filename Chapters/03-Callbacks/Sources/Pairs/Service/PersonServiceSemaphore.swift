import Dispatch
import Synchronization

extension PersonService {
  /// Blocks its thread until the service answers. The service must not call back on that thread, nor on its queue.
  func waitForPerson(_ id: Int, _ cancellation: Cancellation) throws -> Person? {
    let answer = BlockingAnswer<Person?>()
    cancellation.begun(person(id, then: answer.take))
    return try answer.wait()
  }
}

/// What one thread waits for, and another one gives.
private final class BlockingAnswer<Value: Sendable>: Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private let result = Mutex<Result<Value, any Error>?>(nil)

  @Sendable func take(_ result: Result<Value, any Error>) {
    self.result.withLock { if $0 == nil { $0 = result } }
    isThere.signal()
  }

  func wait() throws -> Value {
    isThere.wait()
    // The result is stored before the signal, so it is there.
    return try result.withLock { $0! }.get()
  }
}
