import Synchronization

/// A cancellation that may come before the work begins. Then the work is cancelled as soon as it begins.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var cancelWork: Cancel?
  }

  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// The work has begun.
  func begun(_ cancelWork: @escaping Cancel) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.cancelWork = cancelWork }
      return state.isCancelled
    }
    if isLate { cancelWork() }
  }

  @Sendable func cancel() {
    let cancelWork = state.withLock { state in
      state.isCancelled = true
      defer { state.cancelWork = nil }
      return state.cancelWork
    }
    cancelWork?()
  }
}
