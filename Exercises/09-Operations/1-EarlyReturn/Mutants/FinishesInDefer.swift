// Looks right: whatever way `start()` takes, it finishes. Wrong: where it returns, the transfer is still under way, and
// there is no result.

extension Upload {
  // region start
  override func start() {
    var result = Result<Int, UploadError>.failure(.cancelled)
    defer { finish(result) }
    guard !isCancelled else { return }
    guard !bytes.isEmpty else {
      result = .failure(.empty)
      return
    }
    willChangeValue(for: \.isExecuting)
    lock.withLock { state = .executing }
    didChangeValue(for: \.isExecuting)
    let transfer = client.transfer(bytes) { self.finish($0) }
    lock.withLock { self.transfer = transfer }
    transfer.resume()
    if isCancelled { transfer.cancel() }
  }
  // endregion
}
