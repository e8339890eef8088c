import Dispatch
import Synchronization
import Workbook

extension Demo {
  static let writerStarves = Demo(
    "writer-starves",
    asks: "A writer waits for one reader, and 1000 more readers come. How many are let in first?",
    sides: [
      .before(
        "condition, readers first",
        .surprising("1000 before the writer", "as long as one is in, others may come in"),
        .forbidden("0 before the writer")
      ) { _ in
        let access = SharedAccess()
        return await readersFirst(access.read, access.readIfAvailable, access.write)
      }
      .code("SharedAccess.swift", "if isWriting"),
      .before(
        "pthread_rwlock_t",
        .surprising("1000 before the writer", "on Linux it prefers readers"),
        .forbidden("0 before the writer")
      ) { _ in
        let access = PosixAccess()
        return await readersFirst(access.read, access.readIfAvailable, access.write)
      }
      .code("PosixAccess.swift", "pthread_rwlock_tryrdlock"),
      .before(
        "pthread_rwlock_t that prefers writers", .allowed("0 before the writer"),
        .forbidden("1000 before the writer")
      ) { _ in
        let access = PosixAccess(prefersWriters: true)
        return await readersFirst(access.read, access.readIfAvailable, access.write)
      }
      .code("PosixAccess.swift", "if prefersWriters"),
      .before(
        "condition, a waiting writer first", .allowed("0 before the writer"),
        .forbidden("1000 before the writer")
      ) { _ in
        let access = FairAccess()
        return await readersFirst(access.read, access.readIfAvailable, access.write)
      }
      .code("FairAccess.swift", "if isWriting || waitingWriters"),
      .before(
        "barrier queue", .allowed("0 before the writer", "a queue keeps its order"),
        .forbidden("1000 before the writer")
      ) { _ in readersFirstOnQueue() }
      .code("DemosWriterStarves.swift", "queue.async(flags: .barrier)"),
      .after(
        "actor", .allowed("0 before the writer", "calls of one priority keep their order"),
        .forbidden("1000 before the writer")
      ) { _ in await readersFirstOnActor() }
      .code("DemosWriterStarves.swift", "let writer = Task.immediate"),
    ])
}

private let readers = 1_000

private func said(_ count: Int) -> String { "\(count) before the writer" }

/// One reads until a writer waits; then the others come.
private func readersFirst(
  _ read: @escaping @Sendable (_ body: () -> Void) -> Void,
  _ readIfAvailable: @escaping @Sendable (_ body: () -> Void) -> Bool,
  _ write: @escaping @Sendable (_ body: () -> Void) -> Void
) async -> String {
  let letIn = Atomic(0)
  let interruption = await interrupt { pause in
    read {
      pause()
      for _ in 0..<readers where readIfAvailable({}) { letIn.add(1, ordering: .relaxed) }
    }
  } by: {
    write {}
  }
  guard interruption == .waits else { return "the writer does not wait" }
  return said(letIn.load(ordering: .relaxed))
}

private func readersFirstOnQueue() -> String {
  let queue = DispatchQueue(label: "com.example.photos", attributes: .concurrent)
  let (mayLeave, letIn, before) = (DispatchSemaphore(value: 0), Count(), Count())
  queue.async { mayLeave.wait() }
  queue.async(flags: .barrier) { before.number.store(letIn.value, ordering: .relaxed) }
  for _ in 0..<readers { queue.async { letIn.number.add(1, ordering: .relaxed) } }
  mayLeave.signal()
  queue.sync(flags: .barrier) {}
  return letIn.value == readers ? said(before.value) : "some never come in"
}

private func readersFirstOnActor() async -> String {
  let (room, isIn, mayLeave) = (
    Room(), AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0)
  )
  let first = Task.detached {
    await room.stay {
      isIn.continuation.finish()
      mayLeave.wait()
    }
  }
  for await _ in isIn.stream {}
  // Each is in the actor's line before this goes on.
  let writer = Task.immediate { await room.write() }
  let others = (0..<readers).map { _ in Task.immediate { await room.read() } }
  mayLeave.signal()
  await first.value
  for other in others { await other.value }
  return said(await writer.value)
}

private actor Room {
  private var letIn = 0

  func stay(_ body: () -> Void) { body() }
  func read() { letIn += 1 }
  func write() -> Int { letIn }
}

private final class Count: Sendable {
  let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }
}
