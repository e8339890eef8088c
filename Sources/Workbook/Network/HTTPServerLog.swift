/// What a server has seen and done, and the tasks that wait for it.
final class HTTPServerLog: Sendable {
  typealias Event = HTTPServer.Event
  private typealias Waiter = (id: Int, isDue: (State) -> Bool, go: CheckedContinuation<Void, Never>)

  private struct State {
    var events: [Event] = []
    var waiters: [Waiter] = []
    var lastID = 0
    var isClosed = false
  }

  private let state = Locked(State())

  var events: [Event] { state.withLock(\.events) }

  /// Acts and logs what came of it at once, so that nobody sees the effect and misses the event.
  func record(_ act: () -> Event?) { change { $0.events += act().map { [$0] } ?? [] } }

  /// Lets all waiters go on: nothing happens any more.
  func close() { change { $0.isClosed = true } }

  private func change(_ act: (inout State) -> Void) {
    let due: [Waiter] = state.withLock { state in
      act(&state)
      let now = state
      defer { state.waiters.removeAll { $0.isDue(now) } }
      return state.waiters.filter { $0.isDue(now) }
    }
    for waiter in due { waiter.go.resume() }
  }

  func waitUntil(_ event: Event, times: Int) async {
    let isDue = { (state: State) in
      state.isClosed || state.events.count { $0 == event } >= times
    }
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { state in
          // A task is cancelled before its handler runs: either this is true, or the handler finds the waiter.
          if Task.isCancelled || isDue(state) { return false }
          state.waiters.append((id, isDue, continuation))
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).go }
      }
      continuation?.resume()
    }
  }
}
