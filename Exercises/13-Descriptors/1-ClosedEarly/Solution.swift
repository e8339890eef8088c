import ControlledDispatch  // its types are spelled as Dispatch's, and the check gives the turns

/// Receives what comes over a connection, until it is stopped.
///
/// The check uses `init(taking:queue:received:)`, `pause()`, `resume()` and `stop()`.
// Sendable because Dispatch's sources may be used on any thread.
final class Connection: @unchecked Sendable {
  private enum State { case reading, paused, stopped }

  private let source: any DispatchSourceRead
  private let state = Mutex(State.reading)
  // region fields
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
    source.activate()
  }
  // endregion

  // region deinit
  deinit { stop() }
  // endregion

  /// Keeps handlers from beginning, but for one that is under way.
  func pause() {
    state.withLock { state in
      guard state == .reading else { return }
      state = .paused
      source.suspend()
    }
  }

  /// Ends a pause.
  func resume() {
    state.withLock { state in
      guard state == .paused else { return }
      state = .reading
      source.resume()
    }
  }

  // region stop
  /// Lets nothing more be received, and the descriptor be closed.
  func stop() {
    state.withLock { state in
      // In this order: a source that is resumed hands over what has come, unless it is cancelled.
      if state != .stopped { source.cancel() }
      if state == .paused { source.resume() }
      state = .stopped
    }
  }
  // endregion
}

/// Reads what is there. It stays as it is.
private func text(from descriptor: Int32) -> String {
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = Kernel.read(descriptor, &bytes, bytes.count)
  return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
}
