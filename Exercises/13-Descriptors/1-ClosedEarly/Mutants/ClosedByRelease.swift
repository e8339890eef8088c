// Looks right: whoever releases a connection without stopping it has its descriptor closed. Wrong: so has one that was
// stopped before, and the number may be another connection's.

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
    source.setCancelHandler { Kernel.close(descriptor) }
    self.source = source
    self.descriptor = descriptor
    source.activate()
  }
  // endregion

  // region deinit
  deinit {
    stop()
    Kernel.close(descriptor)
  }
  // endregion
}
