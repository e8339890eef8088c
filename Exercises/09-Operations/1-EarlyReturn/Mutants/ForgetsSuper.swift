// Looks right: `cancel()` ends the transfer. Wrong: without `super` the upload is not cancelled, and one that has not
// begun is sent all the same.

extension Upload {
  // region cancel
  override func cancel() {
    let transfer = lock.withLock { self.transfer }
    transfer?.cancel()
  }
  // endregion
}
