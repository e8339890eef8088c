import Synchronization
import Workbook

extension Subject {
  static let onceAsync = Subject(
    "once-async",
    asks: "A and B ask for what takes an await to make. How often is it made?",
    right: .allowed("made once"),
    implementations: [
      .after(
        "actor, the value is kept when it is made",
        .surprising("made twice", "B finds none while A awaits")
      ) { asking { Reentrant.Once(make: $0) } }
      .code("OnceReentrantActor.swift", "if let made"),
      .after("actor, the task is kept") { asking { Tasked.Once(make: $0) } }
        .code("OnceTask.swift", "let task = task"),
    ])

  static let onceFailed = Subject(
    "once-failed",
    asks: "A and B ask, and the first attempt fails; then C asks. Who is told of the failure?",
    right: .allowed("all three"), .allowed("A and B, not C"), .allowed("one of A and B, not C"),
    .forbidden("nobody"),
    implementations: [
      .after("the failure is kept", .allowed("all three", "nobody tries again")) {
        failing { Tasked.Once(afterFailure: .keep, make: $0) }
      }
      .code("OnceTask.swift", "Forget the failed task"),
      .after(
        "the next one tries again",
        .allowed("A and B, not C", "both waited for the first attempt"),
        .allowed("one of A and B, not C", "the other came after it").onlyExplored
      ) { failing { Tasked.Once(afterFailure: .tryAgain, make: $0) } }
      .code("OnceTask.swift", "Forget the failed task"),
    ])

  static let onceCancelled = Subject(
    "once-cancelled",
    asks: "B is the first to ask, and is cancelled while it waits; then A asks. Who gets it?",
    right: .allowed("A gets it, B waits on"), .allowed("A gets it, B leaves"),
    .forbidden("A gets nothing, B leaves"),
    implementations: [
      .after("await of the task", .allowed("A gets it, B waits on", "cancelled or not")) { _ in
        await cancelling(leaves: false) { Tasked.Once(make: $0) }
      }
      .code("OnceTask.swift", "let task = task"),
      .after(
        "await of a stream of one", .allowed("A gets it, B leaves", "and the task goes on for A")
      ) { _ in await cancelling(leaves: true) { Isolated.Once(make: $0) } }
      .code("OnceActor.swift", "for try await value")
      .notExplored("a relay and a stream for each waiter: more than 100,000 schedules"),
    ])
}

/// Makes its value on first use.
private protocol MakingOnce: Actor {
  associatedtype Value: Sendable
  var value: Value { get async throws }
}

extension Reentrant.Once: MakingOnce {}
extension Tasked.Once: MakingOnce {}
extension Isolated.Once: MakingOnce {}

private typealias Make = @Sendable () async throws -> Int

/// A is stopped while its value is made.
private func asking<Once: MakingOnce>(_ once: (@escaping Make) -> Once) -> Encounter
where Once.Value == Int {
  let (pause, count) = (Pause(), Count())
  let once = once {
    await pause()
    return count.next()
  }
  return Encounter(over: once, stoppedAt: .call(pause)) { _ in
    try? await once.value
  } outcome: { first, second in
    first == 1 && second == 1 ? "made once" : "made twice"
  }
}

/// A is stopped in the first attempt, which fails.
private func failing<Once: MakingOnce>(_ once: (@escaping Make) -> Once) -> Encounter
where Once.Value == Int {
  let (pause, count) = (Pause(), Count())
  let once = once {
    await pause()
    let attempt = count.next()
    if attempt == 1 { throw Unavailable() }
    return attempt
  }
  return Encounter(over: once, stoppedAt: .call(pause)) { _ in
    try? await once.value
  } outcome: { first, second in
    let told = [first, second].count { $0 == nil }
    if (try? await once.value) == nil { return told == 2 ? "all three" : "C, and not both before" }
    return ["nobody", "one of A and B, not C", "A and B, not C"][told]
  }
}

/// What B waits for is made when B has left; or, where it does not leave, when it is cancelled.
private func cancelling<Once: MakingOnce>(
  leaves: Bool, _ once: (@escaping Make) -> Once
) async -> String where Once.Value == Int {
  let (isOpen, open) = AsyncStream.makeStream(of: Void.self)
  let once = once {
    for await _ in isOpen {}
    return 7
  }
  let second = Task { try? await once.value }
  second.cancel()
  if leaves { _ = await second.value }
  open.finish()
  let (first, left) = (try? await once.value, await second.value == nil)
  return "A \(first == 7 ? "gets it" : "gets nothing"), B \(left ? "leaves" : "waits on")"
}

private struct Unavailable: Error {}

private final class Count: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
