// Looks right: it waits for the client, so that `start()` knows the result and finishes on every way. Wrong: the thread
// of `start()` is blocked, as long as the transfer takes.

extension Upload {
  // region start
  override func start() {
    finish(send())
  }

  private func send() -> Result<Int, UploadError> {
    guard !isCancelled else { return .failure(.cancelled) }
    guard !bytes.isEmpty else { return .failure(.empty) }
    willChangeValue(for: \.isExecuting)
    lock.withLock { state = .executing }
    didChangeValue(for: \.isExecuting)
    let isOver = DispatchSemaphore(value: 0)
    let sent = Mutex(Result<Int, UploadError>.failure(.cancelled))
    let transfer = client.transfer(bytes) { result in
      sent.withLock { $0 = result }
      isOver.signal()
    }
    lock.withLock { self.transfer = transfer }
    transfer.resume()
    if isCancelled { transfer.cancel() }
    isOver.wait()
    return sent.withLock(\.self)
  }
  // endregion
}
