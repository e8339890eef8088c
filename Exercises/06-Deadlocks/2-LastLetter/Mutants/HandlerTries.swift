// Looks right: the handler does not wait for the lock, so there is no circle. Wrong: where the lock is taken by
// somebody else, the cancellation is lost, and the reader waits on.

import ControlledDispatch  // its Mutex is spelled as Synchronization's, and the check gives the turns

/// A task that waits for a letter; outside of the check, a continuation. It stays as it is.
protocol Reader: Sendable {
  /// Lets the task go on, once.
  func resume(returning letter: String?)
}

/// Letters, and the readers that wait for one. The one who waits longest gets the next.
///
/// A reader waits so:
///
///     await withTaskCancellationHandler {
///       await withCheckedContinuation { mailbox.add($0, number) }
///     } onCancel: {
///       mailbox.cancel(number)
///     }
///
/// The check uses `Reader`, `init()`, `add(_:_:)`, `cancel(_:)` and `deliver(_:)`.
final class Mailbox: Sendable {
  private struct State {
    var letters: [String] = []
    var waiting: [(number: Int, reader: any Reader)] = []
    /// Readers that were cancelled before they came to wait.
    var cancelled: Set<Int> = []
  }

  private let state = Mutex(State())

  init() {}

  /// Has a reader wait for the next letter.
  ///
  /// - Parameter number: No two readers have the same.
  func add(_ reader: any Reader, _ number: Int) {
    state.withLock { state in
      if state.cancelled.remove(number) != nil {
        reader.resume(returning: nil)
      } else if !state.letters.isEmpty {
        reader.resume(returning: state.letters.removeFirst())
      } else {
        state.waiting.append((number, reader))
      }
    }
  }

  /// Ends the wait of a reader, with `nil`. It may come before the reader does.
  func cancel(_ number: Int) {
    state.withLockIfAvailable { state in
      if let index = state.waiting.firstIndex(where: { $0.number == number }) {
        state.waiting.remove(at: index).reader.resume(returning: nil)
      } else {
        state.cancelled.insert(number)
      }
    }
  }

  /// Gives a letter to a reader, or keeps it for the next.
  func deliver(_ letter: String) {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.letters.append(letter)
      } else {
        state.waiting.removeFirst().reader.resume(returning: letter)
      }
    }
  }
}
