// Looks right: `isFinished` says the truth, on every way. Wrong: nobody asks, because nobody is told that it has
// changed.

extension Upload {
  // region finish
  private func finish(_ result: Result<Int, UploadError>) {
    lock.withLock {
      state = .finished
      answer = result
    }
  }
  // endregion
}
