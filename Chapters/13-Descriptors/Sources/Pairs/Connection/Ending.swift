import Synchronization

/// Why it is over, with a connection or a file: the first reason stays.
final class Ending: Sendable {
  private let reason = Mutex<(any Error)??>(nil)

  var error: (any Error)? { reason.withLock { $0 ?? nil } }

  func end(with error: (any Error)?) {
    reason.withLock { if $0 == nil { $0 = .some(error) } }
  }
}
