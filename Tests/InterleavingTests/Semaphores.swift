import Interleaving
import Synchronization

/// What the philosophers wait for: a count that is taken and given back.
protocol AsyncSemaphore: Sendable {
  init(_ count: Int)
  func wait() async
  func signal() async
}

actor ActorSemaphore: AsyncSemaphore {
  private var count: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { self.count = count }

  func wait() async {
    if count > 0 {
      count -= 1
    } else {
      await withCheckedContinuation { waiters.append($0) }
    }
  }

  func signal() {
    if waiters.isEmpty { count += 1 } else { waiters.removeFirst().resume() }
  }
}

final class MutexSemaphore: AsyncSemaphore {
  private struct State {
    var count: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(count: count)) }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.count == 0 else {
          state.count -= 1
          return true
        }
        state.waiters.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func signal() async {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
      state.count += 1
      return nil
    }
    next?.resume()
  }
}
