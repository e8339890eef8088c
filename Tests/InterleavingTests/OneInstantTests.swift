import Interleaving
import Testing

/// Where time passes only when nothing else can go on, all that is due at the moment to which it passes can go on, in any
/// order.
@Suite struct OneInstantTests {
  private actor Count {
    private(set) var number = 0
    func set(_ number: Int) { self.number = number }

    /// Adds one, as somebody does who is free between reading and writing.
    nonisolated func add() async {
      let read = await number
      await set(read + 1)
    }
  }

  private static let strategies: [Strategy] = [.exhaustive, .reduced(assuming: .actorIsolation)]

  private func outcomes<Outcome: Hashable & Sendable>(
    _ strategy: Strategy, _ scenario: @escaping @Sendable () async -> Outcome
  ) async -> Set<Outcome> {
    let exploration = await explore(strategy, time: .passesWhenIdle, scenario: scenario)
    #expect(exploration.isComplete)
    #expect(exploration.failures.isEmpty)
    return Set(exploration.outcomes.keys)
  }

  @Test(arguments: strategies)
  func `two that have slept as long add in any order`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let count = Count()
      @Sendable func add() async {
        try? await Task.sleep(for: .seconds(1))
        await count.add()
      }
      async let first: Void = add()
      async let second: Void = add()
      _ = await (first, second)
      return await count.number
    }
    #expect(found == [1, 2])
  }

  @Test(arguments: strategies)
  func `one that has slept twice meets one that has slept as long at once`(strategy: Strategy) async
  {
    let found = await outcomes(strategy) {
      let count = Count()
      async let first: Void = {
        for _ in 0..<2 { try? await Task.sleep(for: .seconds(1)) }
        await count.add()
      }()
      async let second: Void = {
        try? await Task.sleep(for: .seconds(2))
        await count.add()
      }()
      _ = await (first, second)
      return await count.number
    }
    #expect(found == [1, 2])
  }

  @Test(arguments: strategies)
  func `who sleeps longer comes behind all that the earlier ones do`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let count = Count()
      await withTaskGroup { group in
        for milliseconds in [1000, 1000, 1001] {
          group.addTask {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            await count.add()
          }
        }
      }
      return await count.number
    }
    // The third finds 1 or 2.
    #expect(found == [2, 3])
  }

  @Test(arguments: strategies)
  func `who is cancelled at the moment at which it would wake was woken, or was not`(
    strategy: Strategy
  ) async {
    #expect(await outcomes(strategy, ofCancellingAfterASecond: 1000) == ["woken", "cancelled"])
  }

  @Test(arguments: strategies)
  func `who is cancelled earlier is never woken`(strategy: Strategy) async {
    #expect(await outcomes(strategy, ofCancellingAfterASecond: 1001) == ["cancelled"])
  }

  private func outcomes(
    _ strategy: Strategy, ofCancellingAfterASecond milliseconds: Int
  ) async -> Set<String> {
    await outcomes(strategy) {
      let sleeper = Task {
        do {
          try await Task.sleep(for: .milliseconds(milliseconds))
          return "woken"
        } catch {
          return "cancelled"
        }
      }
      try? await Task.sleep(for: .seconds(1))
      sleeper.cancel()
      return await sleeper.value
    }
  }

  @Test(arguments: strategies)
  func `a debouncer that is called again at its deadline has called, or calls once`(
    strategy: Strategy
  ) async {
    let found = await outcomes(strategy) {
      let log = Log()
      let debouncer = Debouncer(log)
      await debouncer.call(1)
      try? await Task.sleep(for: .seconds(1))
      await debouncer.call(2)
      try? await Task.sleep(for: .seconds(3))
      return await log.entries
    }
    #expect(found == [[1, 2], [2]])
  }

  private actor Log {
    private(set) var entries: [Int] = []
    func append(_ entry: Int) { entries.append(entry) }
  }

  private actor Debouncer {
    private let log: Log
    private var pending: Task<Void, Never>?
    init(_ log: Log) { self.log = log }

    func call(_ number: Int) {
      pending?.cancel()
      pending = Task { [log] in
        try? await Task.sleep(for: .seconds(1))
        if !Task.isCancelled { await log.append(number) }
      }
    }
  }
}
