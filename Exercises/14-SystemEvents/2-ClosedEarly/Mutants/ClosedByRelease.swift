// Looks right: whoever releases a connection without stopping it has its descriptor closed. Wrong: so has one that was
// stopped before, and the number may be another connection's.

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
    source.setCancelHandler { system.close(descriptor) }
    self.source = source
    self.system = system
    self.descriptor = descriptor
    source.activate()
  }
  // endregion

  // region deinit
  deinit {
    stop()
    system.close(descriptor)
  }
  // endregion
}
