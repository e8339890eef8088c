// Looks right: the source is cancelled before the descriptor is closed, and once. Wrong: a handler that is under way
// has still to read, and by then the number may be another connection's.

extension Connection {
  // region fields
  private let descriptor: Int32
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
    Kernel.close(descriptor)
  }
  // endregion
}
