/// A task that waits for a letter.
public struct WaitingTask: LetterReader {
  let continuation: CheckedContinuation<String?, Never>

  public func resume(returning letter: String?) { continuation.resume(returning: letter) }
}

extension MailboxResumingLocked<WaitingTask> {
  /// The next letter; `nil` when the task is cancelled, before it waits or meanwhile.
  public func next() async -> String? {
    await withTaskCancellationHandler {
      await withCheckedContinuation {
        add(WaitingTask(continuation: $0))
        if Task.isCancelled { cancel() }  // the handler was there before the reader
      }
    } onCancel: {
      cancel()
    }
  }
}

extension MailboxMutex<WaitingTask> {
  /// The next letter; `nil` when the task is cancelled, before it waits or meanwhile.
  public func next() async -> String? {
    await withTaskCancellationHandler {
      await withCheckedContinuation {
        add(WaitingTask(continuation: $0))
        if Task.isCancelled { cancel() }  // the handler was there before the reader
      }
    } onCancel: {
      cancel()
    }
  }
}
