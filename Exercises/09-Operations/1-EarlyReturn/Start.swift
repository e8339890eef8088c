extension Upload {
  // region transfer
  // endregion

  // region start
  override func start() {
    // TODO: Finish once on every way, also where it returns early, and let a cancellation end the transfer.
    if isCancelled { return }
    if bytes.isEmpty { return }
    willChangeValue(for: \.isExecuting)
    lock.withLock { state = .executing }
    didChangeValue(for: \.isExecuting)
    let transfer = client.transfer(bytes) { result in
      guard case .success = result else { return }
      self.finish(result)
    }
    transfer.resume()
  }
  // endregion

  // region cancel
  // endregion
}
