#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

/// One reader at a time waits for the next letter.
public final class MailboxMutex<Reader: LetterReader>: Sendable {
  private struct State {
    var letters: [String] = []
    var reader: Reader?
  }

  private let state = Mutex(State())

  public init() {}

  /// Takes the reader out under the lock, and resumes it after.
  public func deliver(_ letter: String, underLock pause: @Sendable () -> Void = {}) {
    let reader = state.withLock { state in
      pause()
      guard let reader = state.reader else {
        state.letters.append(letter)
        return Reader?.none
      }
      state.reader = nil
      return reader
    }
    reader?.resume(returning: letter)
  }

  /// Has a reader wait.
  public func add(_ reader: Reader) {
    let letter = state.withLock { state in
      guard state.letters.isEmpty else { return String?.some(state.letters.removeFirst()) }
      state.reader = reader
      return nil
    }
    if let letter { reader.resume(returning: letter) }
  }

  /// Ends the wait of the reader, if there is one: what a cancellation handler does.
  public func cancel() {
    let reader = state.withLock { state in
      let reader = state.reader
      state.reader = nil
      return reader
    }
    reader?.resume(returning: nil)
  }
}
