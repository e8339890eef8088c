import ControlledDispatch  // its types are spelled as Dispatch's, and the check gives the turns

/// A source over a descriptor, with Dispatch's names. It stays as it is.
protocol ReadSource: Sendable {
  /// How many bytes can be read.
  var data: UInt { get }
  /// Says what to do when bytes have come.
  func setEventHandler(_ handler: @escaping @Sendable () -> Void)
  /// Says what to do, once, when the source is cancelled, no handler runs, and the descriptor is watched no more.
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void)
  func activate()
  func suspend()
  func resume()
  func cancel()
}

/// The kernel's table of descriptors. A number that was closed is given away again. It stays as it is.
protocol Descriptors: Sendable {
  /// Makes a source, which is inactive; its handlers run on a serial queue.
  func makeReadSource(fileDescriptor: Int, queue: DispatchQueue) -> any ReadSource
  /// Reads what is there.
  func read(_ descriptor: Int, upTo count: UInt) -> String
  func close(_ descriptor: Int)
}

/// Receives what comes over a connection, until it is stopped.
///
/// The check uses `ReadSource`, `Descriptors`, `init(taking:of:queue:received:)`, `pause()`, `resume()` and `stop()`.
final class Connection: Sendable {
  private enum State { case reading, paused, stopped }

  private let source: any ReadSource
  private let state = Mutex(State.reading)
  // region fields
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
