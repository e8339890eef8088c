import Workbook

extension Subject {
  static let cancelUnderLock = Subject(
    "cancel-under-lock",
    asks: "A delivers a letter under the mailbox's lock, and B cancels the reader. What happens?",
    right: .allowed("letter"), .forbidden("cancelled"),
    implementations: [
      .after(
        "resumed under the lock",
        .deadlock("A waits for the task's own lock, B for the mailbox's")
      ) {
        let mailbox = MutexedInside.Mailbox()
        return delivery(to: mailbox, mailbox.next) { mailbox.deliver("letter") }
      }
      .notExplored("a task's own lock is no scheduling point")
      .watched("deadlock, confirmed: A, B", "before A resumes"),
      .after("resumed after it") {
        let mailbox = Mutexed.Mailbox()
        return delivery(to: mailbox, mailbox.next) { mailbox.deliver("letter") }
      }
      .notExplored("as above"),
    ])
}

/// The reader waits before anything is delivered. A is stopped under the lock.
private func delivery(
  to mailbox: some AnyObject & Sendable, _ next: @escaping @Sendable () async -> String?,
  _ deliver: @escaping @Sendable () -> Void
) -> Encounter {
  // By its full name, since the watched Task has no executor.
  let desk = ThreadExecutor()
  let reader = _Concurrency.Task(executorPreference: desk, operation: next)
  // The desk has one thread, which is free for this only when the reader's task is suspended.
  let readerWaits: @Sendable () async -> Void = {
    await _Concurrency.Task(executorPreference: desk) {}.value
  }
  return Encounter(over: mailbox, stoppedAt: .change(1), after: readerWaits) {
    deliver()
  } by: {
    reader.cancel()
  } outcome: { _, _ in
    await reader.value ?? "cancelled"
  }
}
