import Synchronization

/// A photo was sent when nobody receives any more.
struct Closed: Error {}

/// Hands photos from several tasks to one, and keeps as many as it may that nobody has taken.
///
/// The check uses `init(capacity:)`, `send(_:)`, `next()` and `close()`.
final class PhotoChannel: Sendable {
  private struct State {
    var photos: [String] = []
    var senders: [(id: Int, photo: String, continuation: CheckedContinuation<Void, any Error>)] = []
    var receiver: CheckedContinuation<String?, Never>?
    var isClosed = false
    var lastID = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: How many photos are kept, 1 or more.
  init(capacity: Int) { self.capacity = capacity }

  // region send
  /// Returns when the photo has a place, or is taken.
  ///
  /// - Throws: `CancellationError`, or ``Closed``; then the photo is not sent.
  func send(_ photo: String) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (answer, receiver) = state.withLock {
          state -> (Result<Void, any Error>?, CheckedContinuation<String?, Never>?) in
          if Task.isCancelled { return (.failure(CancellationError()), nil) }
          if state.isClosed { return (.failure(Closed()), nil) }
          if let receiver = state.receiver.take() { return (.success(()), receiver) }
          if state.photos.count < capacity {
            state.photos.append(photo)
            return (.success(()), nil)
          }
          state.senders.append((id, photo, continuation))
          return (nil, nil)
        }
        receiver?.resume(returning: photo)
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let sender = state.withLock { state in
        state.senders.firstIndex { $0.id == id }.map { state.senders.remove(at: $0) }
      }
      sender?.continuation.resume(throwing: CancellationError())
    }
  }
  // endregion

  // region next
  /// The next photo; nil when the channel is closed and empty. One task receives.
  func next() async -> String? {
    await withCheckedContinuation { continuation in
      let (photo, sender) = state.withLock {
        state -> (String??, CheckedContinuation<Void, any Error>?) in
        guard !state.photos.isEmpty else {
          if state.isClosed { return (.some(nil), nil) }
          state.receiver = continuation
          return (nil, nil)
        }
        let photo = state.photos.removeFirst()
        guard !state.senders.isEmpty else { return (photo, nil) }
        let sender = state.senders.removeFirst()
        state.photos.append(sender.photo)
        return (photo, sender.continuation)
      }
      sender?.resume()
      if let photo { continuation.resume(returning: photo) }
    }
  }
  // endregion

  // region close
  /// What has a place is still received; senders that wait for one are told.
  func close() {
    let (senders, receiver) = state.withLock { state in
      state.isClosed = true
      defer { state.senders = [] }
      return (state.senders, state.receiver.take())
    }
    for sender in senders { sender.continuation.resume(throwing: Closed()) }
    receiver?.resume(returning: nil)
  }
  // endregion
}
