// Looks right: a cancelled upload finishes at once. Wrong: its transfer has not called back, and when it does, the
// upload finishes a second time, with another result.

extension Upload {
  // region cancel
  override func cancel() {
    super.cancel()
    let (transfer, isExecuting) = lock.withLock { (self.transfer, state == .executing) }
    transfer?.cancel()
    if isExecuting { finish(.failure(.cancelled)) }
  }
  // endregion
}
