import Dispatch
import Synchronization

extension Async {
  /// Lets one task at a time wait until a source has an event, and ends once.
  ///
  /// The source is suspended while nobody waits. Otherwise it would fire without end for bytes that nobody reads.
  final class Readiness: Sendable {
    private struct State {
      var waiter: CheckedContinuation<Void, Never>?
      var isOver = false
    }

    private let source: BalancedSource
    private let state = Mutex(State())

    /// Takes over an inactive source.
    init(of source: any DispatchSourceProtocol, whenOver: @escaping @Sendable () -> Void) {
      self.source = BalancedSource(source)
      source.setEventHandler { [weak self] in self?.arrived() }
      source.setCancelHandler(handler: whenOver)
      try? self.source.suspend()
      self.source.activate()
    }

    deinit { end() }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns when the source has an event, or when it is over; the task's cancellation ends it.
    func wait() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          let isOver = state.withLock { state in
            guard !state.isOver else { return true }
            precondition(state.waiter == nil, "two tasks wait; give each a sequence of its own")
            state.waiter = waiter
            try? source.resume()
            return false
          }
          if isOver { waiter.resume() }
        }
      } onCancel: {
        end()
      }
    }

    /// Cancels the source and lets the waiter go on. A second call does nothing.
    func end() {
      let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
        guard !state.isOver else { return nil }
        state.isOver = true
        source.cancel()
        // A suspended source keeps its cancel handler back.
        if state.waiter == nil { try? source.resume() }
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    private func arrived() {
      let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
        guard let waiter = state.waiter else { return nil }
        state.waiter = nil
        try? source.suspend()
        return waiter
      }
      waiter?.resume()
    }
  }
}
