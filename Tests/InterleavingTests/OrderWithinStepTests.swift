import Interleaving
import Testing

/// What follows a start or a wake-up in its step is unordered with the woken task, though no schedule runs that
/// one first; and whatever hands something over orders it, though nobody has to wait for it.
@Suite(.serialized, .timeLimit(.minutes(30))) struct OrderWithinStepTests {
  typealias Scenario = @Sendable (Shared<Int>) async -> Void

  /// One way to let a task go on: at `now`, after which the maker writes too late, or before it, in time.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let scenario: @Sendable (_ count: Shared<Int>, _ isLate: Bool) async -> Void
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(name: "starting a task") { count, isLate in
      if !isLate { count.value += 1 }
      let task = Task { count.value += 1 }
      if isLate { count.value += 1 }
      await task.value
    },
    Case(name: "starting a detached task") { count, isLate in
      if !isLate { count.value += 1 }
      let task = Task.detached { count.value += 1 }
      if isLate { count.value += 1 }
      await task.value
    },
    Case(name: "starting a task on the main actor") { count, isLate in
      if !isLate { count.value += 1 }
      let task = Task { @MainActor in count.value += 1 }
      if isLate { count.value += 1 }
      await task.value
    },
    Case(name: "starting a child") { count, isLate in
      if !isLate { count.value += 1 }
      async let child: Void = { count.value += 1 }()
      if isLate { count.value += 1 }
      await child
    },
    Case(name: "adding to a group") { count, isLate in
      await withTaskGroup { group in
        if !isLate { count.value += 1 }
        group.addTask { count.value += 1 }
        if isLate { count.value += 1 }
      }
    },
    Case(name: "adding to a discarding group") { count, isLate in
      await withDiscardingTaskGroup { group in
        if !isLate { count.value += 1 }
        group.addTask { count.value += 1 }
        if isLate { count.value += 1 }
      }
    },
    Case(name: "resuming a continuation") { count, isLate in
      var task: Task<Void, Never>?
      await withCheckedContinuation { continuation in
        task = Task {
          if !isLate { count.value += 1 }
          continuation.resume()
          if isLate { count.value += 1 }
        }
      }
      count.value += 1
      await task?.value
    },
    Case(name: "sending to a stream") { count, isLate in
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      async let receiver: Void = {
        for await _ in stream { break }
        count.value += 1
      }()
      await Task.yield()
      if !isLate { count.value += 1 }
      continuation.yield()
      if isLate { count.value += 1 }
      await receiver
    },
  ]

  @Test(arguments: cases, [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `what follows in the step is a race, what precedes is none`(
    example: Case, strategy: Strategy
  ) async {
    func explored(isLate: Bool) async -> Exploration<Int> {
      await explore(strategy, limit: 2_000, steps: 60) {
        let count = Shared(0, "count")
        await example.scenario(count, isLate)
        return 0
      }
    }
    let late = await explored(isLate: true)
    #expect(late.failures.contains { $0.kind == .race }, "\(late)")
    let inTime = await explored(isLate: false)
    #expect(!inTime.failures.contains { $0.kind == .race }, "\(inTime)")
  }

  @Test func `every schedule shows it, and replays it`() async throws {
    let scenario: @Sendable () async -> Void = {
      let count = Shared(0, "count")
      let task = Task { count.value += 1 }
      count.value += 1
      await task.value
    }
    let exploration = await explore(scenario: scenario)
    #expect(exploration.isComplete)
    #expect(exploration.failures.map(\.kind) == [.race])
    let failure = try #require(exploration.failures.first)
    #expect(failure.schedules == exploration.schedules)
    #expect(failure.message.hasPrefix("scenario and task 1 use count, "))
    let again = try await replay(try #require(failure.schedule).description, scenario: scenario)
    #expect(again.failures.map(\.description) == [failure.description])
  }

  /// Each hands the late write over in the same step, to a task that need not wait for it.
  static let handovers: [(name: String, scenario: Scenario)] = [
    (
      "a stream that holds a value",
      { count in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
          for await _ in stream { count.value += 1 }
        }
        count.value += 1
        continuation.yield()
        continuation.finish()
        await task.value
      }
    ),
    (
      "a stream that was finished",
      { count in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
          for await _ in stream {}
          count.value += 1
        }
        count.value += 1
        continuation.finish()
        await task.value
      }
    ),
    (
      "a task that has ended",
      { count in
        let first = Task { count.value += 1 }
        let second = Task {
          await first.value
          count.value += 1
        }
        await second.value
      }
    ),
    (
      "a task that throws",
      { count in
        struct Failed: Error {}
        let first = Task {
          count.value += 1
          throw Failed()
        }
        async let second: Void = {
          _ = await first.result
          count.value += 1
        }()
        await second
      }
    ),
    (
      "a group that is empty by then",
      { count in
        await withTaskGroup { group in
          group.addTask { count.value += 1 }
          await Task.yield()
          await Task.yield()
          await group.waitForAll()
          count.value += 1
        }
      }
    ),
    (
      "a discarding group that is empty by then",
      { count in
        await withDiscardingTaskGroup { group in
          group.addTask { count.value += 1 }
          await Task.yield()
          await Task.yield()
        }
        count.value += 1
      }
    ),
    (
      "tasks of which an actor decides who awaits the other",
      { count in
        actor Pair {
          private var tasks: [Task<Void, Never>] = []
          private var hasFirst = false
          func begin(_ count: Shared<Int>) -> [Task<Void, Never>] {
            tasks = (0..<2).map { index in
              Task.detached { [self] in
                if let first = await first(exceptFor: index) { await first.value }
                count.value += 1
              }
            }
            return tasks
          }
          private func first(exceptFor index: Int) -> Task<Void, Never>? {
            defer { hasFirst = true }
            return hasFirst ? tasks[1 - index] : nil
          }
        }
        for task in await Pair().begin(count) { await task.value }
      }
    ),
    (
      "a task at the address of one that has ended",
      { count in
        for _ in 0..<3 { await Task {}.value }
        count.value += 1
        let task = Task { count.value += 1 }
        await task.value
      }
    ),
  ]

  @Test(arguments: handovers.indices)
  func `what is handed over is ordered`(index: Int) async {
    let (name, scenario) = Self.handovers[index]
    let exploration = await explore {
      let count = Shared(0, "count")
      await scenario(count)
    }
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(name)\n\(exploration)")
  }

  @Test func `what ended at an address orders nothing for the next one there`() async {
    let exploration = await explore {
      let count = Shared(0, "count")
      for _ in 0..<3 { await Task {}.value }
      let task = Task { count.value += 1 }
      count.value += 1
      await task.value
      for _ in 0..<3 { await Task {}.value }
      let other = Task { count.value += 1 }
      count.value += 1
      await other.value
    }
    #expect(
      Set(exploration.failures.map { $0.message.prefix(19) })
        == ["scenario and task 4", "scenario and task 8"], "\(exploration)")
  }
}
