// Looks right: behind the last handler, on its own queue, the descriptor is closed. Wrong: Dispatch may still watch the
// number there, which it tells by calling the cancel handler.

extension Connection {
  // region fields
  private let system: any Descriptors
  private let descriptor: Int
  private let queue: DispatchQueue
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
      queue.async { [system, descriptor] in system.close(descriptor) }
    }
  }
  // endregion
}
