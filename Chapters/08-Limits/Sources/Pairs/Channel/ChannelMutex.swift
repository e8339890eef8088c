import Synchronization

/// A channel that was finished before an element was sent.
struct ChannelFinished: Error, Equatable {}

/// Hands elements from tasks to tasks, first come, first served on both sides. A sender waits while there is no room.
final class Channel<Element: Sendable>: Sendable {
  private typealias Sender = CheckedContinuation<Void, any Error>
  private typealias Receiver = CheckedContinuation<Element?, any Error>

  private let state: Mutex<(exchange: Exchange<Element, Sender, Receiver>, lastID: Int)>

  /// - Parameter capacity: How many elements are kept that nobody has taken, 0 or more.
  init(capacity: Int = 0) { state = Mutex((Exchange(capacity: capacity), 0)) }

  var waitingSenders: Int { state.withLock { $0.exchange.waitingSenders } }

  /// Returns when the element is taken, or has a place in the buffer.
  ///
  /// - Throws: `CancellationError` or ``ChannelFinished``, and then it is not sent.
  nonisolated(nonsending) func send(_ element: Element) async throws {
    let id = nextID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { sender in
        let sending = state.withLock { state in
          Task.isCancelled ? nil : state.exchange.send(element, id, sender)
        }
        switch sending {
        case nil: sender.resume(throwing: CancellationError())
        case .refused: sender.resume(throwing: ChannelFinished())
        case .buffered: sender.resume()
        case .handed(let receiver):
          receiver.resume(returning: element)
          sender.resume()
        case .waits: break
        }
      }
    } onCancel: {
      let sender = state.withLock { $0.exchange.leave(sender: id) }
      sender?.resume(throwing: CancellationError())
    }
  }

  /// The next element; nil when the channel is finished and empty.
  ///
  /// - Throws: `CancellationError`, and then it has taken nothing.
  nonisolated(nonsending) func next() async throws -> Element? {
    let id = nextID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { receiver in
        let receiving = state.withLock { state in
          Task.isCancelled ? nil : state.exchange.receive(id, receiver)
        }
        switch receiving {
        case nil: receiver.resume(throwing: CancellationError())
        case .element(let element, let sender):
          sender?.resume()
          receiver.resume(returning: element)
        case .ended: receiver.resume(returning: nil)
        case .waits: break
        }
      }
    } onCancel: {
      let receiver = state.withLock { $0.exchange.leave(receiver: id) }
      receiver?.resume(throwing: CancellationError())
    }
  }

  /// Ends the channel. What has a place in the buffer is still received; senders that wait for one fail.
  func finish() {
    let (senders, receivers) = state.withLock { $0.exchange.finish() }
    for sender in senders { sender.resume(throwing: ChannelFinished()) }
    for receiver in receivers { receiver.resume(returning: nil) }
  }

  private func nextID() -> Int {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }
}
