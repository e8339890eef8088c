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

  // region deinit
  deinit { stop() }
  // endregion

  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    // TODO: Close the descriptor when nothing can read it any more, once, also in a pause.
    Kernel.close(descriptor)
    source.cancel()
  }
  // endregion
}
