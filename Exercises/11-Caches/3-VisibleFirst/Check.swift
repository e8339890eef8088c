import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Gating: Sendable {
  init(width: Int)
  func withPermit<Value: Sendable>(
    _ wish: Wish, _ body: @Sendable () async throws -> Value
  ) async throws -> Value
}

extension DownloadGate: Gating {}

/// Opens once, for all that wait; a cancelled task goes on waiting.
private final class Latch: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func open() { continuation.finish() }
  func wait() async { await Task { for await _ in stream {} }.value }
}

/// A gate for one, and downloads at it: the first is inside until the gate is left to the others.
private final class Grid: Sendable {
  private let gate: any Gating
  private let isOver = Latch()
  private let begun = Mutex<[String]>([])
  let wishes: [String: Wish]
  private let tasks = Mutex<[String: Task<Void, any Error>]>([:])
  private let names: [String]

  /// - Parameter cells: Their names in order, capitals for those that are visible as they come.
  init(_ cells: String, width: Int = 1) {
    gate = DownloadGate(width: width)
    names = cells.map { $0.lowercased() }
    wishes = Dictionary(
      uniqueKeysWithValues: cells.map { ($0.lowercased(), Wish(isVisible: $0.isUppercase)) })
    // Each is inside or in line before the next one comes.
    for name in names { add(name) }
  }

  private func add(_ name: String) {
    let wish = wishes[name]!
    let task = Task.immediate(name: name) {
      try await self.gate.withPermit(wish) {
        self.begun.withLock { $0.append(name) }
        await self.isOver.wait()
      }
    }
    tasks.withLock { $0[name] = task }
  }

  func leave(_ name: String) async {
    let task = tasks.withLock { $0[name] }
    task?.cancel()
    _ = await task?.result
  }

  /// Lets all through.
  ///
  /// - Returns: Who began, in order.
  func finish() async -> String {
    isOver.open()
    for name in names {
      let task = tasks.withLock { $0[name] }
      _ = await task?.result
    }
    return begun.withLock { $0.joined() }
  }
}

private let some = Orders.upTo(classes: 200, preempted: 80, drawn: 60)

private func check(
  _ right: String, _ cells: String, _ change: @escaping @Sendable (Grid) async -> Void = { _ in }
) async {
  await everyOrder(gives: right, within: some) {
    let grid = Grid(cells)
    await change(grid)
    return await grid.finish()
  }
}

@Test func `of equals, the one that came first goes first`() async {
  await check("abcd", "abcd")
  await check("abcd", "ABCD")
}

@Test func `visible ones go first, in the order in which they came`() async {
  await check("acebd", "abCdE")
}

@Test func `one that is raised while it waits goes before those that are not`() async {
  await check("adbc", "abcd") { $0.wishes["d"]?.isVisible = true }
}

@Test func `of two that are raised, the one that came first goes first`() async {
  await check("abdc", "abcd") { grid in
    grid.wishes["d"]?.isVisible = true
    grid.wishes["b"]?.isVisible = true
  }
}

@Test func `one that is lowered while it waits goes after those that are not`() async {
  await check("acdb", "ABCD") { $0.wishes["b"]?.isVisible = false }
}

@Test func `one that is lowered and raised again keeps its place`() async {
  await check("abcd", "ABCD") { grid in
    grid.wishes["b"]?.isVisible = false
    grid.wishes["b"]?.isVisible = true
  }
}

@Test func `one that is cancelled while it waits leaves at once, and gives no permit back`() async {
  await check("acb", "abCD") { grid in await grid.leave("d") }
}

@Test func `as many run as may, and no permit is lost when nobody waits`() async {
  await everyOrder(gives: "2 at once, then 2", within: some) {
    let gate: any Gating = DownloadGate(width: 2)
    var words: [String] = []
    for _ in 1...2 {
      let (inside, isOver) = (Counter(), Latch())
      let tasks = [true, false].map { isVisible in
        Task.immediate {
          try await gate.withPermit(Wish(isVisible: isVisible)) {
            inside.add()
            await isOver.wait()
          }
        }
      }
      words.append("\(inside.value)")
      isOver.open()
      for task in tasks { _ = await task.result }
    }
    return words.joined(separator: " at once, then ")
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func add() { count.withLock { $0 += 1 } }
  var value: Int { count.withLock { $0 } }
}
