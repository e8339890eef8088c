// Looks right: the source is cancelled before the descriptor is closed, and once. Wrong: a handler that is under way
// has still to read, and by then the number may be another connection's.

extension Connection {
  // region fields
  private let system: any Descriptors
  private let descriptor: Int
  // endregion

  // region init
  /// - Parameters:
  ///   - descriptor: What is read; it is the connection's, which closes it.
  ///   - system: Where it was opened.
  ///   - queue: Where its handlers run, one at a time.
  ///   - received: Gets what has come, there.
  init(
    taking descriptor: Int, of system: any Descriptors, queue: DispatchQueue,
    received: @escaping @Sendable (String) -> Void
  ) {
    let source = system.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { received(system.read(descriptor, upTo: source.data)) }
    self.source = source
    self.system = system
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
    system.close(descriptor)
  }
  // endregion
}
