// Looks right: `stop()` returns when the descriptor is closed, so nobody can be surprised. Wrong: a handler that calls
// it waits for its own end.

extension Connection {
  // region fields
  private let isClosed = DispatchSemaphore(value: 0)
  // endregion

  // region init
  /// - Parameters:
  ///   - descriptor: What is read; it is the connection's, which closes it.
  ///   - queue: Where its handlers run, one at a time.
  ///   - received: Gets what has come, there.
  init(
    taking descriptor: Int32, queue: DispatchQueue,
    received: @escaping @Sendable (String) -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { received(text(from: descriptor)) }
    source.setCancelHandler { [isClosed] in
      Kernel.close(descriptor)
      isClosed.signal()
    }
    self.source = source
    source.activate()
  }
  // endregion

  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    let old = state.withLock { state in
      defer { state = .stopped }
      return state
    }
    if old == .stopped { return }
    source.cancel()
    if old == .paused { source.resume() }
    isClosed.wait()
  }
  // endregion
}
