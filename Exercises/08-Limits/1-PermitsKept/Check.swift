import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Gating: Sendable {
  init(permits: Int)
  func withPermit<Value: Sendable>(
    _ body: @Sendable () async throws -> Value
  ) async throws -> Value
}

extension UploadGate: Gating {}

private struct Lost: Error {}

/// Opens once, for all that wait.
private final class Latch: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func open() { continuation.finish() }
  /// A cancelled task goes on waiting.
  func wait() async { await Task { for await _ in stream {} }.value }
}

/// Who is inside, and who was.
private final class Room: Sendable {
  private let state = Mutex((inside: 0, most: 0, names: [String]()))

  func enter(_ name: String) {
    state.withLock { state in
      state.inside += 1
      state.most = max(state.most, state.inside)
      state.names.append(name)
    }
  }

  func leave() { state.withLock { $0.inside -= 1 } }

  var story: String {
    state.withLock { "\($0.names.joined(separator: " ")); \($0.most) at once" }
  }
}

/// What comes of a visit.
@Sendable private func visit(
  _ gate: any Gating, _ name: String, _ room: Room,
  _ stay: @escaping @Sendable () async throws -> Void = {}
) async -> String {
  do {
    try await gate.withPermit {
      room.enter(name)
      defer { room.leave() }
      try await stay()
    }
    return "done"
  } catch {
    return error is CancellationError ? "cancelled" : "lost"
  }
}

private let some = Orders.upTo(classes: 150, preempted: 80, drawn: 60)

@Test func `no more are inside than there are permits, and they come in in their order`() async {
  await everyOrder(gives: "A B C; 1 at once", within: some) {
    let (gate, room) = (UploadGate(permits: 1) as any Gating, Room())
    // Each is inside or in line before the next one comes.
    let visits = ["A", "B", "C"].map { name in
      Task.immediate(name: name) { await visit(gate, name, room) { await Task.yield() } }
    }
    for visit in visits { _ = await visit.value }
    return room.story
  }
}

@Test func `as many are inside as there are permits`() async {
  await everyOrder(gives: "A B; 2 at once", within: some) {
    let (gate, room, latch) = (UploadGate(permits: 2) as any Gating, Room(), Latch())
    let first = Task.immediate(name: "A") { await visit(gate, "A", room) { await latch.wait() } }
    let second = Task.immediate(name: "B") { await visit(gate, "B", room) { latch.open() } }
    _ = await (first.value, second.value)
    return room.story
  }
}

@Test func `a task that is cancelled in the line leaves it at once`() async {
  await everyOrder(gives: "B cancelled, A done; A; 1 at once", within: some) {
    let (gate, room, latch) = (UploadGate(permits: 1) as any Gating, Room(), Latch())
    let first = Task.immediate(name: "A") { await visit(gate, "A", room) { await latch.wait() } }
    let second = Task.immediate(name: "B") { await visit(gate, "B", room) }
    second.cancel()
    // The first is still inside.
    let left = await second.value
    latch.open()
    return "B \(left), A \(await first.value); \(room.story)"
  }
}

@Test func `so does one that is cancelled as it comes`() async {
  await everyOrder(gives: "B cancelled, A done; A; 1 at once", within: some) {
    let (gate, room, latch) = (UploadGate(permits: 1) as any Gating, Room(), Latch())
    let first = Task.immediate(name: "A") { await visit(gate, "A", room) { await latch.wait() } }
    let second = Task(name: "B") { await visit(gate, "B", room) }
    second.cancel()
    let left = await second.value
    latch.open()
    return "B \(left), A \(await first.value); \(room.story)"
  }
}

@Test func `a task that leaves the line gives no permit back`() async {
  await everyOrder(gives: "A C; 1 at once", within: some) {
    let (gate, room, latch) = (UploadGate(permits: 1) as any Gating, Room(), Latch())
    let first = Task.immediate(name: "A") { await visit(gate, "A", room) { await latch.wait() } }
    let second = Task.immediate(name: "B") { await visit(gate, "B", room) }
    second.cancel()
    _ = await second.value
    let third = Task.immediate(name: "C") { await visit(gate, "C", room) }
    latch.open()
    _ = await (first.value, third.value)
    return room.story
  }
}

@Test func `a permit that comes back as its waiter is cancelled is neither lost nor doubled`() async
{
  await everyOrder(
    gives: "B done, C done; 1 free", "B cancelled, C done; 1 free",
    within: .upTo(classes: 400, preempted: 150, drawn: 100)
  ) {
    let (gate, room, latch) = (UploadGate(permits: 1) as any Gating, Room(), Latch())
    let first = Task.immediate(name: "A") { await visit(gate, "A", room) { await latch.wait() } }
    let second = Task.immediate(name: "B") { await visit(gate, "B", room) }
    let third = Task.immediate(name: "C") { await visit(gate, "C", room) }
    latch.open()
    second.cancel()
    let words = await "B \(second.value), C \(third.value)"
    _ = await first.value
    return "\(words); \(await free(gate)) free"
  }
}

/// How many of two find a permit, none of which waits for the other.
@Sendable private func free(_ gate: any Gating) async -> Int {
  let (count, latch) = (Counter(), Latch())
  let tasks = (0..<2).map { _ in
    Task.immediate {
      try? await gate.withPermit {
        count.add()
        await latch.wait()
      }
    }
  }
  let found = count.value
  latch.open()
  for task in tasks { await task.value }
  return found
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}

@Test func `a task that is cancelled before it comes does not begin`() async {
  await everyOrder(gives: "cancelled; ; 0 at once", within: some) {
    let (gate, room) = (UploadGate(permits: 1) as any Gating, Room())
    let task = Task(name: "A") {
      withUnsafeCurrentTask { $0?.cancel() }
      return await visit(gate, "A", room)
    }
    return "\(await task.value); \(room.story)"
  }
}

@Test func `a body that throws gives its permit back`() async {
  await everyOrder(gives: "lost, done", within: some) {
    let (gate, room) = (UploadGate(permits: 1) as any Gating, Room())
    let first = await visit(gate, "A", room) { throw Lost() }
    return "\(first), \(await visit(gate, "B", room))"
  }
}
