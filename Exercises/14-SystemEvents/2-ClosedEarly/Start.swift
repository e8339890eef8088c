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

  // region deinit
  deinit { stop() }
  // endregion

  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    // TODO: Close the descriptor when nothing can read it any more, once, also in a pause.
    system.close(descriptor)
    source.cancel()
  }
  // endregion
}
