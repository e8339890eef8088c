import Synchronization

/// Tells all listeners that something was added, as a notification does. Each has a stream of its own.
final class Additions: Sendable {
  private struct Listeners {
    var all: [(number: Int, continuation: AsyncStream<Void>.Continuation)] = []
    var last = 0
  }
  private let listeners = Mutex(Listeners())

  deinit {
    for listener in listeners.withLock({ $0.all }) { listener.continuation.finish() }
  }

  /// How many listen.
  var count: Int { listeners.withLock { $0.all.count } }

  /// A new listener's stream. It keeps one notice for a listener that is late, and ends with the sender. The listener leaves
  /// when its task is cancelled, or when it drops the stream.
  func stream() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = listeners.withLock { listeners in
      listeners.last += 1
      listeners.all.append((listeners.last, continuation))
      return listeners.last
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { $0.all.removeAll { $0.number == number } }
    }
    return stream
  }

  func yield() {
    // After the lock, because a listener may leave while it is told.
    for listener in listeners.withLock({ $0.all }) { listener.continuation.yield() }
  }
}
