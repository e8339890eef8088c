import Workbook

extension Subject {
  static let cancelUnderLock = Subject(
    "cancel-under-lock",
    asks: "A delivers a letter under the mailbox's lock, and B cancels the reader. What happens?",
    right: .allowed("letter"), .allowed("cancelled, and the letter is kept"),
    .forbidden("cancelled, and the letter is lost"),
    implementations: [
      .after(
        "resumed under the lock",
        .deadlock("A waits for the task's own lock, B for the mailbox's")
      ) {
        let mailbox = MutexedInside.Mailbox()
        return delivery(to: mailbox, mailbox.next) { mailbox.deliver("letter") }
      }
      .code("MailboxResumingLocked.swift", "state.letters.append(letter)")
      .watched("deadlock, confirmed: A, B", "before A resumes")
      .found(
        "a cycle of 2: A waits for the status of task 1, held by B; B waits for Mutex of Mailbox, "
          + "held by A"),
      .after("resumed after it") {
        let mailbox = Mutexed.Mailbox()
        return delivery(to: mailbox, mailbox.next) { mailbox.deliver("letter") }
      }
      .code("MailboxMutex.swift", "return state.reader.take()"),
    ])
}

/// A is stopped under the lock.
private func delivery(
  to mailbox: some AnyObject & Sendable, _ next: @escaping @Sendable () async -> String?,
  _ deliver: @escaping @Sendable () -> Void
) -> Encounter {
  // Each waits before this goes on. By its full name, since the watched Task does not begin at once.
  let begin = { @Sendable in _Concurrency.Task.immediate(operation: next) }
  let reader = begin()
  return Encounter(over: mailbox, stoppedAt: .change(1)) {
    deliver()
  } by: {
    reader.cancel()
  } outcome: { _, _ in
    if let letter = await reader.value { return letter }
    let late = begin()
    late.cancel()
    return "cancelled, and the letter is \(await late.value == nil ? "lost" : "kept")"
  }
}
