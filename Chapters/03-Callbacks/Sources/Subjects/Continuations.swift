import Dispatch
import Workbook

extension Subject {
  static let lateContinuation = Subject(
    "late-continuation",
    asks: "A task is cancelled as it begins to wait, and no answer comes. When does it go on?",
    right: .allowed("cancelled"), .forbidden("Ada"),
    implementations: [
      .after(
        "a continuation that is stored in any case",
        .deadlock("the handler came first, and found no continuation")
      ) { stage in
        let reply = StoredLate.Reply<Person?>()
        return await cancelledEarly(on: stage) { try await reply.value }
      }
      .code("ReplyStoredLate.swift", "if state.result == nil")
      .found("scenario waits for the value of task 1; task 1 waits for a continuation"),
      .after(
        "a handler that begins a task",
        .deadlock("the actor was asked to cancel before it was asked to wait")
      ) { stage in
        let reply = ByTask.Reply<Person?>()
        return await cancelledEarly(on: stage) { try await reply.value }
      }
      .code("ReplyByTask.swift", "Task { await waiting.cancel() }")
      .found("scenario waits for the value of task 1; task 1 waits for a continuation")
      .notPlayed("which of the two tasks comes first is up to the pool"),
      .after("a continuation that is stored unless the task is cancelled") { stage in
        let reply = Async.Reply<Person?>()
        return await cancelledEarly(on: stage) { try await reply.value }
      }
      .code("ReplyMutex.swift", "if Task.isCancelled"),
    ])

  static let answerOrCancel = Subject(
    "answer-or-cancel",
    asks: "An answer comes while its task is cancelled. What does the task get?",
    right: .allowed("Ada"), .allowed("cancelled"),
    implementations: [
      .after(
        "resumed under the lock",
        .deadlock(
          "one holds the task's status and wants the lock, the other has it and wants the status")
      ) { _ in
        let reply = ResumedInside.Reply<Person?>()
        return await answered(by: reply.take, asCancelled: { try await reply.value })
      }
      .code("ReplyResumedInside.swift", "waiter?.resume")
      .found(
        "a cycle of 2: scenario waits for Mutex of Reply, held by server 1; server 1 waits for the status of task 1, "
          + "held by scenario"
      )
      .notPlayed("which of the two comes first is up to the pool"),
      .after(
        "not cleared",
        .trap("the handler resumes what the answer has resumed").played(as: "fatal error")
      ) { stage in
        let reply = NotCleared.Reply<Person?>()
        stage.aboutToBlock("a second resumption")
        return await cancelledLate(reply.take) { try await reply.value }
      }
      .code("ReplyNotCleared.swift", "return state.waiter")
      .notExplored("it traps while the runtime holds a lock, so no process survives it"),
      .after("taken under the lock, resumed outside") { _ in
        let reply = Async.Reply<Person?>()
        return await answered(by: reply.take, asCancelled: { try await reply.value })
      }
      .code("ReplyMutex.swift", "for waiter in waiters")
      .notPlayed("which of the two comes first is up to the pool"),
      .after("two tasks wait, and one is cancelled") { _ in
        let reply = Async.Reply<Person?>()
        let other = Task { await told { try await reply.value } }
        let result = await answered(by: reply.take, asCancelled: { try await reply.value })
        return await other.value == "Ada" ? result : "the other got something else"
      }
      .code("ReplyMutex.swift", "state.waiters[id] = waiter")
      .notPlayed("which of the two comes first is up to the pool"),
    ])
}

/// Cancels a task that waits for an answer, which does not come. Played, it is cancelled before it waits.
private func cancelledEarly(
  on stage: Stage, _ wait: @escaping @Sendable () async throws -> Person?
) async -> String {
  let begins = Gate()
  let task = Task {
    if !stage.isExplored { await begins.wait() }
    return await told(wait)
  }
  task.cancel()
  begins.open()
  stage.aboutToBlock("a task that nobody resumes")
  return await task.value
}

/// Gives an answer to a task, which cannot go on before it is cancelled: its thread has other work.
private func cancelledLate(
  _ take: (Result<Person?, any Error>) -> Void,
  _ wait: @escaping @Sendable () async throws -> Person?
) async -> String {
  let (thread, isCancelled) = (ThreadExecutor(), DispatchSemaphore(value: 0))
  let task = Task(executorPreference: thread) { await told(wait) }
  while !thread.isIdle { await Task.yield() }
  Task(executorPreference: thread) { isCancelled.wait() }
  take(.success(.ada))
  task.cancel()
  isCancelled.signal()
  return await task.value
}

/// Gives an answer to a task that is cancelled.
private func answered(
  by take: @escaping @Sendable (Result<Person?, any Error>) -> Void,
  asCancelled wait: @escaping @Sendable () async throws -> Person?
) async -> String {
  let task = Task { await told(wait) }
  DispatchQueue(label: "server").async { take(.success(.ada)) }
  task.cancel()
  return await task.value
}
