import Synchronization

extension Mutexed {
  /// One reader at a time waits for the next letter.
  final class Mailbox: Sendable {
    private struct State {
      var letters: [String] = []
      var reader: CheckedContinuation<String?, Never>?
    }

    private let state = Mutex(State())

    /// Takes the reader out under the lock, and resumes it after.
    func deliver(_ letter: String) {
      let delivery = state.withLock { state in
        state.letters.append(letter)
        return state.reader.take().map { ($0, state.letters.removeFirst()) }
      }
      if let (reader, letter) = delivery { reader.resume(returning: letter) }
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
      let letter = state.withLock { state in
        guard state.letters.isEmpty else { return String?.some(state.letters.removeFirst()) }
        state.reader = reader
        return nil
      }
      if let letter { reader.resume(returning: letter) }
    }

    private func cancel() {
      let reader = state.withLock { $0.reader.take() }
      reader?.resume(returning: nil)
    }
  }
}
