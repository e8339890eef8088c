import Dispatch
import Foundation
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
        return await readersFirst(comeIn: true, access.read, access.write)
      }
      .code("SharedAccess.swift", "while isWriting"),
      .before(
        "pthread_rwlock_t",
        .surprising("1000 before the writer", "on Linux it prefers readers"),
        .forbidden("0 before the writer")
      ) { _ in
        let access = PosixAccess()
        return await readersFirst(comeIn: true, access.read, access.write)
      }
      .code("PosixAccess.swift", "pthread_rwlock_rdlock"),
      .before(
        "pthread_rwlock_t that prefers writers", .allowed("0 before the writer"),
        .forbidden("1000 before the writer")
      ) { _ in
        let access = PosixAccess(prefersWriters: true)
        return await readersFirst(comeIn: false, access.read, access.write)
      }
      .code("PosixAccess.swift", "if prefersWriters"),
      .before(
        "condition, a waiting writer first", .allowed("0 before the writer"),
        .forbidden("1000 before the writer")
      ) { _ in
        let access = WriterFirstAccess()
        return await readersFirst(comeIn: false, access.read, access.write)
      }
      .code("WriterFirstAccess.swift", "while isWriting || waitingWriters"),
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

/// One reads, and a writer waits for it. Then the others come, and the first leaves when the second is in or waits, too.
///
/// - Parameter comeIn: Whether the others are expected to come in.
private func readersFirst(
  comeIn: Bool, _ read: @escaping @Sendable (_ body: () -> Void) -> Void,
  _ write: @escaping @Sendable (_ body: () -> Void) -> Void
) async -> String {
  let (relay, writerWaits, before) = (Relay(), Gate(), Count())
  let goesOn: @Sendable () -> Void = { relay.mayLeave[0].signal() }
  async let others = interrupt(isUnguarded: comeIn, goesOn: goesOn) { pause in
    await writerWaits.wait()
    pause()
  } by: {
    relay.run(read)
  }
  let writer = await interrupt { pause in
    read {
      pause()
      writerWaits.open()
      relay.mayLeave[0].wait()
    }
  } by: {
    write { before.number.store(relay.letIn.value, ordering: .relaxed) }
  }
  _ = await others
  return writer == .waits ? said(before.value) : "the writer does not wait"
}

/// Readers on two threads, of which each comes in before the one before it has left.
private final class Relay: Sendable {
  let letIn = Count()
  /// Whether the reader inside may leave: of those with an even number, and of the others.
  let mayLeave = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
  private let mayCome = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 1)]

  /// Runs all after reader 0, the first of them on this thread.
  func run(_ read: @escaping @Sendable (_ body: () -> Void) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for reader in stride(from: 2, through: readers, by: 2) { self.come(reader, read) }
      isDone.signal()
    }
    for reader in stride(from: 1, through: readers, by: 2) { come(reader, read) }
    isDone.wait()
  }

  private func come(_ reader: Int, _ read: (_ body: () -> Void) -> Void) {
    let (own, other) = (reader % 2, 1 - reader % 2)
    mayCome[own].wait()
    read {
      letIn.number.add(1, ordering: .relaxed)
      mayLeave[other].signal()
      mayCome[other].signal()
      if reader < readers { mayLeave[own].wait() }
    }
  }
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
