import Synchronization

extension MutexedInside {
  /// One reader at a time waits for the next letter.
  final class Mailbox: Sendable {
    private struct State {
      var letters: [String] = []
      var reader: CheckedContinuation<String?, Never>?
    }

    private let state = Mutex(State())

    func deliver(_ letter: String) {
      state.withLock { state in
        state.letters.append(letter)
        if let reader = state.reader.take() {
          reader.resume(returning: state.letters.removeFirst())
        }
      }
    }

    /// The next letter; `nil` when the task is cancelled, before it waits or meanwhile.
    func next() async -> String? {
      await withTaskCancellationHandler {
        await withCheckedContinuation {
          add($0)
          if Task.isCancelled { cancel() }  // the handler was there before the reader
        }
      } onCancel: {
        cancel()
      }
    }

    private func add(_ reader: CheckedContinuation<String?, Never>) {
      state.withLock { state in
        if state.letters.isEmpty {
          state.reader = reader
        } else {
          reader.resume(returning: state.letters.removeFirst())
        }
      }
    }

    private func cancel() {
      state.withLock { state in
        state.reader.take()?.resume(returning: nil)
      }
    }
  }
}
