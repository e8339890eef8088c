/// A gate that tasks wait at until someone opens it; once open it stays open.
///
/// It orders steps and their memory: what happens before ``open()`` happens before the waiters go
/// on. For a gate that does not order memory, see ``RelaxedGate``.
public final class Gate: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Locked(State.closed([]))

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate and lets all waiters through; opening it again does nothing.
  public func open() {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard case .closed(let waiters) = state else { return [] }
      state = .open
      return waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits until the gate is open. A cancelled task goes on waiting.
  public func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .closed(let waiters) = state else { return true }
        state = .closed(waiters + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}
