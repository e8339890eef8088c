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

/// A gate for one, and downloads at it: the first is inside until it is told to end.
private final class Grid: Sendable {
  private let gate: any Gating = DownloadGate(width: 1)
  private let begun = Mutex<[String]>([])
  private let inside = Counter()
  private let tasks = Mutex<[(name: String, task: Task<Void, any Error>)]>([])
  private let ends: [String: Latch]
  let wishes: [String: Wish]

  /// - Parameters:
  ///   - cells: Their names in order, capitals for those that are visible as they come.
  ///   - late: Those of them that come later.
  init(_ cells: String, late: String = "") {
    let names = cells.map { $0.lowercased() }
    ends = Dictionary(uniqueKeysWithValues: names.map { ($0, Latch()) })
    wishes = Dictionary(
      uniqueKeysWithValues: cells.map { ($0.lowercased(), Wish(isVisible: $0.isUppercase)) })
    // Each is inside or in line before the next one comes.
    for name in names where !late.contains(name) { come(name) }
  }

  func come(_ name: String) {
    let task = Task.immediate(name: name) {
      try await self.gate.withPermit(self.wishes[name]!) {
        self.inside.add(1)
        let isAlone = self.inside.value == 1
        self.begun.withLock { $0.append(isAlone ? name : "\(name), not alone ") }
        await self.ends[name]!.wait()
        self.inside.add(-1)
      }
    }
    tasks.withLock { $0.append((name, task)) }
  }

  func leave(_ name: String) async {
    let task = task(name)
    task?.cancel()
    _ = await task?.result
  }

  /// One that is inside ends.
  func end(_ name: String) async {
    ends[name]!.open()
    _ = await task(name)?.result
  }

  private func task(_ name: String) -> Task<Void, any Error>? {
    tasks.withLock { $0.first { $0.name == name }?.task }
  }

  /// Lets all through.
  ///
  /// - Returns: Who began, in order.
  func finish() async -> String {
    for end in ends.values { end.open() }
    for (_, task) in tasks.withLock({ $0 }) { _ = await task.result }
    return begun.withLock { $0.joined() }
  }
}

private final class Counter: Sendable {
  private let count = Mutex(0)

  func add(_ change: Int) { count.withLock { $0 += change } }
  var value: Int { count.withLock { $0 } }
}

private let some = Orders.upTo(classes: 200, preempted: 80, drawn: 60)

private func check(
  _ right: String, _ cells: String, late: String = "",
  _ change: @escaping @Sendable (Grid) async -> Void = { _ in }
) async {
  await everyOrder(gives: right, within: some) {
    let grid = Grid(cells, late: late)
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

@Test func `so does one that others have passed while it was lowered`() async {
  await check("acbd", "ABCD") { grid in
    grid.wishes["b"]?.isVisible = false
    await grid.end("a")
    grid.wishes["b"]?.isVisible = true
  }
}

@Test func `whenever the only visible one is lowered, one goes`() async {
  await everyOrder(gives: "abc", within: some) {
    let grid = Grid("aBc")
    async let lowered: Void = { grid.wishes["b"]?.isVisible = false }()
    let begun = await grid.finish()
    await lowered
    return begun
  }
}

@Test func `one that comes while a permit is handed on waits`() async {
  await check("abc", "abc", late: "c") { grid in
    await grid.end("a")
    grid.come("c")
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
            inside.add(1)
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
