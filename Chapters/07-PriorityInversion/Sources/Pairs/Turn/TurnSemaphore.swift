import Synchronization

extension Counted {
  /// Lets one section run at a time, in the order in which they came: a semaphore for tasks.
  ///
  /// It knows who waits and not who has it, so it has nobody to raise.
  final class Turn: Sendable {
    private let state = Mutex((isTaken: false, waiting: [CheckedContinuation<Void, Never>]()))

    func take(_ section: @escaping @Sendable () async -> Void) async {
      await wait()
      await section()
      signal()
    }

    private func wait() async {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          if state.isTaken {
            state.waiting.append(continuation)
            return false
          }
          state.isTaken = true
          return true
        }
        if isFree { continuation.resume() }
      }
    }

    private func signal() {
      let next = state.withLock { state in
        if state.waiting.isEmpty {
          state.isTaken = false
          return CheckedContinuation<Void, Never>?.none
        }
        return state.waiting.removeFirst()
      }
      next?.resume()
    }
  }
}
