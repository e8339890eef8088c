import Interleaving
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(30))) struct SharedTests {
  static let strategies: [Strategy] = [.exhaustive, .reduced(assuming: .actorIsolation)]

  @Test(arguments: strategies)
  func `two tasks that nothing orders race`(strategy: Strategy) async throws {
    let exploration = await explore(strategy) {
      let count = Shared(0, "count")
      async let first: Void = { count.value += 1 }()
      async let second: Void = { count.value += 1 }()
      _ = await (first, second)
      return count.value
    }
    let failure = try #require(exploration.failures.first)
    #expect(exploration.failures.count == 1)
    #expect(failure.kind == .race)
    #expect(failure.message.hasPrefix("task 1 and task 2 use"))
    let schedule = try #require(failure.schedule).description
    let again = try await replay(schedule) {
      let count = Shared(0, "count")
      async let first: Void = { count.value += 1 }()
      async let second: Void = { count.value += 1 }()
      _ = await (first, second)
      return count.value
    }
    #expect(again.failures.map(\.kind) == [.race])
  }

  @Test func `each pair of three that race is named once, and its schedule shows it`() async throws
  {
    let scenario: @Sendable () async -> Int = {
      let shared = Shared(0)
      async let first: Void = { shared.update { $0 += 1 } }()
      async let second: Void = { shared.update { $0 += 1 } }()
      async let third: Void = { shared.update { $0 += 1 } }()
      _ = await (first, second, third)
      return shared.value
    }
    let exploration = await explore(scenario: scenario)
    let pairs = exploration.failures.map { String($0.message.prefix { $0 != "u" }) }
    #expect(pairs.sorted() == ["task 1 and task 2 ", "task 1 and task 3 ", "task 2 and task 3 "])
    for failure in exploration.failures {
      let schedule = try #require(failure.schedule?.description)
      let again = try await replay(schedule, scenario: scenario)
      #expect(again.failures.map(\.message).contains(failure.message))
    }
  }

  @Test(arguments: strategies)
  func `two readers do not race`(strategy: Strategy) async {
    let exploration = await explore(strategy) {
      let count = Shared(1)
      async let first = count.value
      async let second = count.value
      return await first + second
    }
    #expect(Set(exploration.outcomes.keys) == [2])
    expectClean(exploration)
  }

  @Test(arguments: strategies)
  func `an actor, a task's end and a continuation order what they join`(strategy: Strategy) async {
    actor Guard {
      let count = Shared(0)
      func add() { count.value += 1 }
    }
    let actor = await explore(strategy) {
      let box = Guard()
      async let first: Void = box.add()
      async let second: Void = box.add()
      _ = await (first, second)
      return box.count.value
    }
    expectClean(actor)

    let end = await explore(strategy) {
      let count = Shared(0)
      count.value = 1
      let task = Task { count.value += 1 }
      await Task.yield()
      await task.value
      count.value += 1
      return count.value
    }
    #expect(Set(end.outcomes.keys) == [3])
    expectClean(end)

    let continuation = await explore(strategy) {
      let count = Shared(0)
      await withCheckedContinuation { continuation in
        Task {
          count.value += 1
          continuation.resume()
        }
      }
      count.value += 1
      return count.value
    }
    #expect(Set(continuation.outcomes.keys) == [2])
    expectClean(continuation)
  }

  @Test func `a stream orders what it hands over, though its buffer shows no edge`() async {
    let exploration = await explore {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let count = Shared(0)
      async let producer: Void = {
        count.value = 1
        continuation.yield(1)
        await Task.yield()
        continuation.finish()
      }()
      for await _ in stream { count.value += 1 }
      await producer
      return count.value
    }
    #expect(Set(exploration.outcomes.keys) == [2])
    expectClean(exploration)
  }

  @Test(arguments: strategies)
  func `a sleep orders what comes after it where work takes no time, and only there`(
    strategy: Strategy
  ) async {
    let scenario: @Sendable () async -> Int = {
      let count = Shared(0)
      async let early: Void = count.update { $0 += 1 }
      try? await Task.sleep(for: .seconds(1))
      let seen = count.value
      await early
      return seen
    }
    let ordered = await explore(strategy, time: .passesWhenIdle, scenario: scenario)
    #expect(Set(ordered.outcomes.keys) == [1])
    expectClean(ordered)
    let unordered = await explore(strategy, scenario: scenario)
    #expect(Set(unordered.outcomes.keys) == [0, 1])
    #expect(unordered.failures.map(\.kind) == [.race])
  }

  @Test func `the main actor orders its tasks`() async {
    let exploration = await explore {
      let count = Shared(0)
      let tasks = (0..<2).map { _ in Task { @MainActor in count.value += 1 } }
      for task in tasks { await task.value }
      return count.value
    }
    expectClean(exploration)
  }

  private var isTwo: @Sendable (Int) -> Bool { { $0 == 2 } }

  @Test func `the cause tells what was read, changed and overwritten`() async throws {
    let exploration = await explore(.exhaustive, allowing: isTwo) {
      let count = Shared(0, "count")
      await withTaskGroup { group in
        for name in ["A", "B"] {
          group.addTask(name: name) {
            let read = count.value
            await Task.yield()
            count.value = read + 1
          }
        }
      }
      return count.value
    }
    #expect(Set(exploration.outcomes.keys) == [1, 2])
    let failure = try #require(exploration.failures.first { $0.kind == .outcome })
    #expect(
      failure.cause == "B read count = 0; A made it 1; then B wrote 1"
        || failure.cause == "A read count = 0; B made it 1; then A wrote 1")
  }

  @Test func `an update that throws is a use all the same`() async {
    struct Refused: Error {}
    let exploration = await explore {
      let count = Shared(0)
      await withTaskGroup { group in
        for _ in 0..<2 { group.addTask { try? count.update { _ throws in throw Refused() } } }
      }
    }
    #expect(exploration.failures.map(\.kind) == [.race])
  }

  @Test func `one that outlives an execution is not taken for another's`() async {
    enum App { static let kept = Shared(0, "kept") }
    let exploration = await explore {
      App.kept.value = 0
      let own = Shared(0, "own")
      async let ownCount: Void = own.update { $0 += 1 }
      App.kept.value += 1
      await ownCount
    }
    expectClean(exploration)
  }

  @Test func `outside an exploration it is a plain variable`() {
    let count = Shared(1)
    count.value += 1
    count.update { $0 *= 10 }
    #expect(count.value == 20)
  }
}
