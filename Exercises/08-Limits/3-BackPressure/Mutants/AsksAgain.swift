// Looks right: it goes on when there is a place. Wrong: until then it asks again and again, and nothing says that the
// receiver gets a turn.

extension PhotoChannel {
  // region send
  /// Returns when the photo has a place, or is taken.
  ///
  /// - Throws: `CancellationError`, or ``Closed``; then the photo is not sent.
  func send(_ photo: String) async throws {
    while true {
      try Task.checkCancellation()
      let (isSent, receiver) = try state.withLock {
        state -> (Bool, CheckedContinuation<String?, Never>?) in
        if state.isClosed { throw Closed() }
        if let receiver = state.receiver.take() { return (true, receiver) }
        guard state.photos.count < capacity else { return (false, nil) }
        state.photos.append(photo)
        return (true, nil)
      }
      receiver?.resume(returning: photo)
      if isSent { return }
      await Task.yield()
    }
  }
  // endregion
}
