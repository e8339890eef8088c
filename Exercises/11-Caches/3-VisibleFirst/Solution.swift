import Synchronization

/// What a cell wants. Whether it is visible may change at any time, from any thread.
final class Wish: Sendable {
  private let state: Mutex<Bool>

  init(isVisible: Bool) { state = Mutex(isVisible) }

  var isVisible: Bool {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// Lets so many downloads through at a time, visible ones first.
///
/// The check uses `init(width:)` and `withPermit(_:_:)`, and `Wish`.
final class DownloadGate: Sendable {
  private typealias Continuation = CheckedContinuation<Void, any Error>

  // region state
  private struct State {
    var free: Int
    var line: [(id: Int, wish: Wish, continuation: Continuation)] = []
    var lastID = 0

    mutating func take() -> Continuation? {
      guard let index = line.firstIndex(where: \.wish.isVisible) ?? line.indices.first else {
        free += 1
        return nil
      }
      return line.remove(at: index).continuation
    }
  }
  // endregion

  private let state: Mutex<State>

  init(width: Int) { state = Mutex(State(free: width)) }

  /// Runs a body with a permit, and gives it back when the body returns or throws.
  ///
  /// - Throws: What the body throws; `CancellationError` if the task is cancelled before it has a permit.
  func withPermit<Value: Sendable>(
    _ wish: Wish, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    try await wait(wish)
    defer { signal() }
    return try await body()
  }

  // region wait
  private func wait(_ wish: Wish) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let answer = state.withLock { state -> Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          state.line.append((id, wish, continuation))
          return nil
        }
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.line.firstIndex { $0.id == id }.map { state.line.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }
  // endregion

  // region signal
  private func signal() {
    let next = state.withLock { $0.take() }
    next?.resume()
  }
  // endregion
}
