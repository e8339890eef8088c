// Looks right: it asks before it begins, and `cancel()` ends the transfer. Wrong: cancelled in between, it has passed the
// question, and `cancel()` finds no transfer yet.

extension Upload {
  // region start
  override func start() {
    guard !isCancelled else { return finish(.failure(.cancelled)) }
    guard !bytes.isEmpty else { return finish(.failure(.empty)) }
    willChangeValue(for: \.isExecuting)
    lock.withLock { state = .executing }
    didChangeValue(for: \.isExecuting)
    let transfer = client.transfer(bytes) { self.finish($0) }
    lock.withLock { self.transfer = transfer }
    transfer.resume()
  }
  // endregion
}
