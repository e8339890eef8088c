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

  // region add
  /// Has a reader wait for the next letter.
  ///
  /// - Parameter number: No two readers have the same.
  func add(_ reader: any Reader, _ number: Int) {
    let letter: String?? = state.withLock { state in
      if state.cancelled.remove(number) != nil { return .some(nil) }
      if !state.letters.isEmpty { return state.letters.removeFirst() }
      state.waiting.append((number, reader))
      return nil
    }
    if let letter { reader.resume(returning: letter) }
  }
  // endregion

  // region cancel
  /// Ends the wait of a reader, with `nil`. It may come before the reader does.
  func cancel(_ number: Int) {
    let reader: (any Reader)? = state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
        state.cancelled.insert(number)
        return nil
      }
      return state.waiting.remove(at: index).reader
    }
    reader?.resume(returning: nil)
  }
  // endregion

  // region deliver
  /// Gives a letter to a reader, or keeps it for the next.
  func deliver(_ letter: String) {
    let reader: (any Reader)? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.letters.append(letter)
        return nil
      }
      return state.waiting.removeFirst().reader
    }
    reader?.resume(returning: letter)
  }
  // endregion
}
