import Workbook

extension Subject {
  static let forgottenContinuation = Subject(
    "forgotten-continuation",
    asks: "The connection closes while A waits for an answer. What does A get?",
    right: .allowed("A gets nothing"), .forbidden("A gets an answer"),
    implementations: [
      .after("close forgets its waiters", .deadlock("nobody is left to resume A")) {
        let requests = Forgetful.Requests()
        return closing(requests) {
          await requests.answer(to: 1)
        } by: {
          await requests.close()
        }
      }
      .code("RequestsForgottenAtClose.swift", "Refuses what comes later")
      .watched("suspected: A", "a continuation has no holder")
      .found(
        "A waits for a continuation"),
      .after("close answers its waiters") {
        let requests = Isolated.Requests()
        return closing(requests) {
          await requests.answer(to: 1)
        } by: {
          await requests.close()
        }
      }
      .code("RequestsActor.swift", "isClosed = true"),
    ])

  static let unfinishedStream = Subject(
    "unfinished-stream",
    asks: "A backup ends at a file that cannot be read. When does the reader of its progress end?",
    right: .allowed("1 copied"), .forbidden("0 copied"),
    implementations: [
      .after("finished at the end", .deadlock("the early return does not finish the stream")) {
        await copied($0, Forgetful.Backup().run)
      }
      .code("BackupUnfinished.swift", "for (index, file)")
      .alwaysWrong
      .watched("hang: nothing that is watched is waited for", "a stream is not watched")
      .found(
        "scenario waits for the value of task 1; task 1 waits for a continuation"),
      .after("finished on every path") { await copied($0, Awaited.Backup().run) }
        .code("BackupStream.swift", "defer {"),
    ])
}

/// A is stopped when its request is about to wait; B closes the connection.
private func closing(
  _ requests: some Actor, _ ask: @escaping @Sendable () async -> String?,
  by close: @escaping @Sendable () async -> Void
) -> Encounter {
  Encounter(over: requests, stoppedAt: .change(1), ask, by: close) { answer, _ in
    answer == nil ? "A gets nothing" : "A gets an answer"
  }
}

private func copied(
  _ stage: Stage,
  _ backup: @escaping @Sendable ([String], AsyncStream<Int>.Continuation) async -> Void
) async -> String {
  let (stream, progress) = AsyncStream.makeStream(of: Int.self)
  async let copied = stream.reduce(0) { max($0, $1) }
  await backup(["a", "", "b"], progress)
  stage.aboutToBlock("for await over a stream that is not finished")
  return "\(await copied) copied"
}
