// Looks right: a cancelled sender does not wait. Wrong: it returns as if its photo were sent.

extension PhotoChannel {
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
          if Task.isCancelled { return (.success(()), nil) }
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
      sender?.continuation.resume()
    }
  }
  // endregion
}
