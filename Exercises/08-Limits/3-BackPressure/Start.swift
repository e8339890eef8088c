extension PhotoChannel {
  // region send
  // TODO: Wait while there is no place, and throw if the photo is not sent.
  /// Returns when the photo has a place, or is taken.
  ///
  /// - Throws: `CancellationError`, or ``Closed``; then the photo is not sent.
  func send(_ photo: String) async throws {
    let receiver = state.withLock { state -> CheckedContinuation<String?, Never>? in
      if let receiver = state.receiver.take() { return receiver }
      state.photos.append(photo)
      return nil
    }
    receiver?.resume(returning: photo)
  }
  // endregion
}
