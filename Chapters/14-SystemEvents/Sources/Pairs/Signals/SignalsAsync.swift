import Dispatch

extension Async {
  /// Signals for one task. Those that come before it asks are one set, as they are one each in the kernel.
  ///
  /// It ends when the task is cancelled.
  final class Signals: AsyncSequence, Sendable {
    private let pending: Merged<Set<SignalNumber>>
    private let source: Sourced.Signals

    /// Begins to watch, and returns when signals that are sent from now on are told.
    ///
    /// - Parameter whenOver: Called once, when nothing is watched any more.
    /// - Throws: ``SignalError`` for a signal that no source is told of.
    init(
      of signals: Set<SignalNumber>, whenOver: @escaping @Sendable () -> Void = {}
    ) async throws(SignalError) {
      let pending = Merged<Set<SignalNumber>>(.union)
      let (readiness, ready) = AsyncStream<SignalError>.makeStream()
      self.pending = pending
      source = try Sourced.Signals(
        of: signals, queue: DispatchQueue(label: "signals"),
        whenReady: { error in
          if let error { ready.yield(error) }
          ready.finish()
        },
        whenSignal: { pending.send([$0]) }, whenOver: whenOver)
      // A task of its own, because one that is cancelled would not wait.
      if let error = await Task(operation: { await readiness.first { _ in true } }).value {
        throw error
      }
    }

    deinit { source.cancel() }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let signals: Signals

      func next(isolation: isolated (any Actor)?) async -> Set<SignalNumber>? {
        let set = await signals.pending.makeAsyncIterator().next(isolation: isolation)
        if set == nil { signals.source.cancel() }
        return set
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(signals: self) }
  }
}
