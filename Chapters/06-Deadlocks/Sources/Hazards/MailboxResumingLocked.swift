#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

/// One reader at a time waits for the next letter.
public final class MailboxResumingLocked<Reader: LetterReader>: Sendable {
  private struct State {
    var letters: [String] = []
    var reader: Reader?
  }

  private let state = Mutex(State())

  public init() {}

  public func deliver(_ letter: String, underLock pause: @Sendable () -> Void = {}) {
    state.withLock { state in
      pause()
      if let reader = state.reader {
        state.reader = nil
        reader.resume(returning: letter)
      } else {
        state.letters.append(letter)
      }
    }
  }

  /// Has a reader wait.
  public func add(_ reader: Reader) {
    state.withLock { state in
      if state.letters.isEmpty {
        state.reader = reader
      } else {
        reader.resume(returning: state.letters.removeFirst())
      }
    }
  }

  /// Ends the wait of the reader, if there is one: what a cancellation handler does.
  public func cancel() {
    state.withLock { state in
      state.reader?.resume(returning: nil)
      state.reader = nil
    }
  }
}
