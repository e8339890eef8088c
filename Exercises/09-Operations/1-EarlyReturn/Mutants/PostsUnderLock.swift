// Looks right: state, result and their announcement are one step. Wrong: the queue asks for `isFinished` while it is
// told, and `isFinished` wants the lock.

extension Upload {
  // region finish
  private func finish(_ result: Result<Int, UploadError>) {
    lock.withLock {
      willChangeValue(for: \.isExecuting)
      willChangeValue(for: \.isFinished)
      state = .finished
      answer = result
      didChangeValue(for: \.isExecuting)
      didChangeValue(for: \.isFinished)
    }
  }
  // endregion
}
