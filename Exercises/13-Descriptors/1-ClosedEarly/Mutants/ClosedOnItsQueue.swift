// Looks right: behind the last handler, on its own queue, the descriptor is closed. Wrong: Dispatch may still watch the
// number there, which it tells by calling the cancel handler.

extension Connection {
  // region fields
  private let descriptor: Int32
  private let queue: DispatchQueue
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
    self.source = source
    self.descriptor = descriptor
    self.queue = queue
    source.activate()
  }
  // endregion

  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    state.withLock { state in
      guard state != .stopped else { return }
      source.cancel()
      if state == .paused { source.resume() }
      state = .stopped
      queue.async { [descriptor] in Kernel.close(descriptor) }
    }
  }
  // endregion
}
