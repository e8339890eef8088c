// Looks right: the transfer is used under the lock only. Wrong: it may call back before `cancel()` returns, and `finish`
// wants the lock.

extension Upload {
  // region cancel
  override func cancel() {
    super.cancel()
    lock.withLock { transfer?.cancel() }
  }
  // endregion
}
