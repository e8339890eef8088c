import Foundation
import Workbook

extension Demo {
  static let taskCycle = Demo(
    "task-cycle",
    asks: "Model needs Net, and Net needs Model. What does the resolver say?",
    sides: [
      .hazard(
        .after, "awaits the task in flight", .taskCycle,
        .surprising("hang", "each task awaits the other's value; no thread blocks"),
        .forbidden("Model Net")),
      .watched(
        .after, "awaits the task in flight", .taskCycle,
        "deadlock, confirmed: 2 tasks", "before the last await"),
      .after("refuses to close a circle", .allowed("refused: Net"), .forbidden("found")) { _ in
        do {
          _ = try await ResolverActor(["Model": ["Net"], "Net": ["Model"]]).needs(of: "Model")
          return "found"
        } catch let circle as ResolverActor.Circle {
          return "refused: \(circle.module)"
        }
      },
    ])

  static let forgottenContinuation = Demo(
    "forgotten-continuation",
    asks: "The connection closes while A waits for an answer. What does A get?",
    sides: [
      .hazard(
        .after, "close forgets who waits", .forgottenContinuation,
        .surprising("hang", "nobody is left to resume A"), .forbidden("A gets nothing")),
      .watched(
        .after, "close forgets who waits", .forgottenContinuation,
        "suspected: a task", "a continuation has no holder"),
      .after("close answers who waits", .allowed("A gets nothing"), .forbidden("A gets an answer"))
      {
        _ in
        let requests = RequestsActor()
        async let answer = requests.answer(to: 1)
        await requests.close()
        return await answer == nil ? "A gets nothing" : "A gets an answer"
      },
    ])

  static let unfinishedStream = Demo(
    "unfinished-stream",
    asks: "A backup ends at a file that cannot be read. When does the reader of its progress end?",
    sides: [
      .hazard(
        .after, "finished at the end", .unfinishedStream,
        .surprising("hang", "the early return does not finish the stream"),
        .forbidden("1 copied")),
      .watched(
        .after, "finished at the end", .unfinishedStream,
        "hang: nothing that is watched is waited for", "a stream is not watched"),
      .after("finished on every path", .allowed("1 copied"), .forbidden("0 copied")) { _ in
        let (stream, progress) = AsyncStream.makeStream(of: Int.self)
        await BackupStream().run(["a", "", "b"], progress)
        return "\(await stream.reduce(0) { max($0, $1) }) copied"
      },
    ])

  static let blockedCooperativePool = Demo(
    "blocked-cooperative-pool",
    asks: "As many tasks as there are cores each block for a task of their own. Does that run?",
    sides: [
      .hazard(
        .after, "semaphore around a task", .blockedCooperativePool,
        .surprising("hang", "the pool never grows"), .forbidden("price 7")),
      .watched(
        .after, "semaphore around a task", .blockedCooperativePool,
        "blocking wait on the cooperative pool, confirmed: a task", "before the first one blocks"),
      .after("await", .allowed("price 7"), .forbidden("price 0")) { _ in
        await prices { await CatalogueAsync { _ in 7 }.price(of: "a") }
      },
      .after("blocked, on threads of their own", .allowed("price 7"), .forbidden("price 0")) { _ in
        await prices { await CatalogueThread { _ in 7 }.price(of: "a") }
      },
    ])

  private static func prices(_ price: @escaping @Sendable () async -> Int) async -> String {
    await withTaskGroup { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { group.addTask { await price() } }
      return "price \(await group.reduce(0, max))"
    }
  }

  static let cancelUnderLock = Demo(
    "cancel-under-lock",
    asks: "A delivers a letter under the mailbox's lock, and B cancels the reader. What happens?",
    sides: [
      .hazard(
        .after, "resumed under the lock", .cancelUnderLock,
        .surprising("hang", "A waits for the task's own lock, B for the mailbox's"),
        .forbidden("B waits, letter")),
      .watched(
        .after, "resumed under the lock", .cancelUnderLock,
        "deadlock, confirmed: A, B", "before A resumes"),
      .after("resumed after it", .allowed("B waits, letter"), .forbidden("B waits, cancelled")) {
        _ in
        let mailbox = MailboxMutex<WaitingTask>()
        return await deliveryAgainstCancellation(
          next: { await mailbox.next() }, deliver: { mailbox.deliver("letter", underLock: $0) })
      },
    ])
}
