import Interleaving
import Testing

/// Every outcome, and no other: exact sets, complete.
@Suite(.serialized, .timeLimit(.minutes(30))) struct OutcomeTests {
  /// An exhaustive search where it can end, a reduced one where it cannot.
  static let strategies: [(tasks: Int, Strategy)] =
    [(2, .exhaustive), (2, .reduced(assuming: .actorIsolation))]
    + (SwiftRuntime.isSanitized ? [] : [(3, .reduced(assuming: .actorIsolation))])

  @Test(arguments: strategies)
  func `tasks that read, suspend and write lose updates`(
    tasks: Int, strategy: Strategy
  ) async {
    let exploration = await explore(strategy) {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<tasks { group.addTask { await counter.incrementInTwoCalls() } }
      }
      return await counter.value
    }
    #expect(Set(exploration.outcomes.keys) == Set(1...tasks))
    #expect(exploration.isComplete)
    #expect(exploration.failures.isEmpty)
  }

  @Test(arguments: strategies)
  func `tasks that read and write in one call lose none`(
    tasks: Int, strategy: Strategy
  ) async {
    let exploration = await explore(strategy) {
      let counter = Counter()
      await withTaskGroup { group in
        for _ in 0..<tasks { group.addTask { await counter.increment() } }
      }
      return await counter.value
    }
    #expect(Set(exploration.outcomes.keys) == [tasks])
    #expect(exploration.isComplete)
    #expect(exploration.failures.isEmpty)
  }

  @Test(arguments: [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `two withdrawals with an await between check and act overdraw`(strategy: Strategy) async {
    let exploration = await explore(strategy, scenario: withdrawals)
    #expect(Set(exploration.outcomes.keys) == [20, -60])
    #expect(exploration.isComplete)

    let cured = await explore(strategy) {
      let account = CuredAccount()
      async let first: Void = account.withdraw(80)
      async let second: Void = account.withdraw(80)
      _ = await (first, second)
      return await account.balance
    }
    #expect(Set(cured.outcomes.keys) == [20])
    #expect(cured.isComplete)
    #expect(cured.failures.isEmpty)
  }

  @Test(arguments: [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `a cache that computes on a miss computes twice`(strategy: Strategy) async {
    let exploration = await explore(strategy) {
      let cache = ReentrantCache()
      async let first = cache.value(for: "a")
      async let second = cache.value(for: "a")
      _ = await (first, second)
      return await cache.computations
    }
    #expect(Set(exploration.outcomes.keys) == [1, 2])
    #expect(exploration.isComplete)

    let cured = await explore(strategy) {
      let cache = InFlightCache()
      async let first = cache.value(for: "a")
      async let second = cache.value(for: "a")
      _ = await (first, second)
      return await cache.computations
    }
    #expect(Set(cured.outcomes.keys) == [1])
    #expect(cured.isComplete)
    #expect(cured.failures.isEmpty)
  }

  @Test(arguments: [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `a singleton made lazily across an await is made twice`(strategy: Strategy) async {
    let exploration = await explore(strategy) {
      let store = LazyStore()
      async let first = store.session()
      async let second = store.session()
      return await first === second
    }
    #expect(Set(exploration.outcomes.keys) == [true, false])
    #expect(exploration.isComplete)

    let cured = await explore(strategy) {
      let store = OnceStore()
      async let first = store.session()
      async let second = store.session()
      return await first === second
    }
    #expect(Set(cured.outcomes.keys) == [true])
    #expect(cured.isComplete)
    #expect(cured.failures.isEmpty)
  }
}

private actor Counter {
  private(set) var value = 0

  func increment() { value += 1 }

  private func store(_ value: Int) { self.value = value }

  nonisolated func incrementInTwoCalls() async {
    let read = await value
    await Task.yield()
    await store(read + 1)
  }
}

private actor CuredAccount {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    await Task.yield()
    guard balance >= amount else { return }
    balance -= amount
  }
}

private actor ReentrantCache {
  private var values: [String: Int] = [:]
  private(set) var computations = 0

  func value(for key: String) async -> Int {
    if let value = values[key] { return value }
    computations += 1
    await Task.yield()
    values[key] = key.count
    return key.count
  }
}

private actor InFlightCache {
  private var values: [String: Task<Int, Never>] = [:]
  private(set) var computations = 0

  func value(for key: String) async -> Int {
    if let value = values[key] { return await value.value }
    let task = Task {
      computations += 1
      await Task.yield()
      return key.count
    }
    values[key] = task
    return await task.value
  }
}

private final class Session: Sendable {}

private actor LazyStore {
  private var made: Session?

  func session() async -> Session {
    if let made { return made }
    await Task.yield()
    let session = Session()
    made = session
    return session
  }
}

private actor OnceStore {
  private var making: Task<Session, Never>?

  func session() async -> Session {
    if let making { return await making.value }
    let task = Task {
      await Task.yield()
      return Session()
    }
    making = task
    return await task.value
  }
}
