// Looks right: the connection knows that it is stopped, and its handler closes instead of reading. Wrong: the handler is
// called when bytes come, and none may come any more.

extension Connection {
  // region fields
  private let isStopped: Flag

  private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() { state.withLock { $0 = true } }
  }
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
    let isStopped = Flag()
    source.setEventHandler {
      if isStopped.isSet { return source.cancel() }
      received(text(from: descriptor))
    }
    source.setCancelHandler { Kernel.close(descriptor) }
    self.source = source
    self.isStopped = isStopped
    source.activate()
  }
  // endregion

  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    state.withLock { state in
      if state == .paused { source.resume() }
      state = .stopped
      isStopped.set()
    }
  }
  // endregion
}
