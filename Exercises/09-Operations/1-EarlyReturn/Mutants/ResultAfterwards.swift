// Looks right: it finishes on every way and has its result. Wrong: the result comes after the announcement, when a
// dependent operation has looked for it.

extension Upload {
  // region finish
  private func finish(_ result: Result<Int, UploadError>) {
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    lock.withLock { state = .finished }
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
    lock.withLock { answer = result }
  }
  // endregion
}
