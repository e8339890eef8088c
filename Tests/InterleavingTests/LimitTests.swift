import Interleaving
import Synchronization
import Testing

/// The limits that the manual states, each as it shows. What is told by a failure is in `MisuseTests`
/// and `ReplayTests`.
@Suite(.serialized, .timeLimit(.minutes(30))) struct LimitTests {
  private final class Flags: Sendable {
    let x = Atomic(0)
    let y = Atomic(0)
  }

  private final class Words: Sendable {
    private let words = Mutex("")
    var text: String { words.withLock { $0 } }
    func say(_ word: String) { words.withLock { $0 += word } }
  }

  @Test func `reduced sees whether an object is alive`() async {
    final class Token: Sendable {}
    actor Registry {
      private weak var token: Token?
      func watch(_ token: Token) { self.token = token }
      var isAlive: Bool { token != nil }
    }
    actor Holder {
      private var token: Token? = Token()
      func lend(to registry: Registry) async { await registry.watch(token!) }
      func drop() { token = nil }
    }
    let scenario: @Sendable () async -> Bool = {
      let (holder, registry) = (Holder(), Registry())
      await holder.lend(to: registry)
      async let dropped: Void = {
        await holder.drop()
        await Task.yield()
      }()
      async let seen: Bool = {
        let seen = await registry.isAlive
        await Task.yield()
        return seen
      }()
      let result = await seen
      await dropped
      return result
    }
    let all = await explore(scenario: scenario)
    #expect(Set(all.outcomes.keys) == [true, false])
    let some = await explore(.reduced(assuming: .actorIsolation), scenario: scenario)
    #expect(Set(some.outcomes.keys) == [true, false])
  }

  @Test func `reduced sees whether a finished task was cancelled`() async {
    let scenario: @Sendable () async -> Bool = {
      let done = Task {}
      await done.value
      async let cancel: Void = {
        done.cancel()
        await Task.yield()
      }()
      async let seen: Bool = {
        let seen = done.isCancelled
        await Task.yield()
        return seen
      }()
      let result = await seen
      await cancel
      return result
    }
    let all = await explore(scenario: scenario)
    #expect(Set(all.outcomes.keys) == [true, false])
    let some = await explore(.reduced(assuming: .actorIsolation), scenario: scenario)
    #expect(Set(some.outcomes.keys) == [true, false])
  }

  @Test func `memory is sequentially consistent: relaxed stores are never late`() async {
    let exploration = await explore {
      let flags = Flags()
      async let first = {
        flags.x.store(1, ordering: .relaxed)
        await Task.yield()
        return flags.y.load(ordering: .relaxed)
      }()
      async let second = {
        flags.y.store(1, ordering: .relaxed)
        await Task.yield()
        return flags.x.load(ordering: .relaxed)
      }()
      return await [first, second]
    }
    // A processor may give [0, 0].
    #expect(Set(exploration.outcomes.keys) == [[0, 1], [1, 0], [1, 1]])
  }

  @Test func `a step runs whole: two tasks without an await are not mixed`() async {
    let exploration = await explore {
      let flags = Flags()
      async let first: Void = {
        let read = flags.x.load(ordering: .relaxed)
        flags.x.store(read + 1, ordering: .relaxed)
      }()
      async let second: Void = {
        let read = flags.x.load(ordering: .relaxed)
        flags.x.store(read + 1, ordering: .relaxed)
      }()
      _ = await (first, second)
      return flags.x.load(ordering: .relaxed)
    }
    #expect(Set(exploration.outcomes.keys) == [2])
  }

  private actor Seats {
    private(set) var left = 1
    func take() { left -= 1 }

    nonisolated func takeIfLeft() async {
      if await left > 0 { await take() }
    }
  }

  @Test func `what the compiler joined is one step`() async {
    let exploration = await explore {
      let seats = Seats()
      async let first: Void = seats.takeIfLeft()
      async let second: Void = seats.takeIfLeft()
      _ = await (first, second)
      return await seats.left
    }
    #expect(Set(exploration.outcomes.keys) == [0])
  }

  @Test func `a task that polls may be picked for ever`() async {
    let exploration = await explore(.preemptionBounded(0), limit: 3, steps: 100) {
      let flags = Flags()
      async let setter: Void = flags.x.store(1, ordering: .relaxed)
      while flags.x.load(ordering: .relaxed) == 0 { await Task.yield() }
      await setter
    }
    #expect(exploration.failures.map(\.kind) == [.livelock])
  }

  @Test func `priorities do not preempt`() async {
    let exploration = await explore {
      let log = Words()
      await withTaskGroup { group in
        group.addTask(priority: .high) { log.say("h") }
        group.addTask(priority: .background) { log.say("l") }
      }
      return log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["hl", "lh"])
  }

  @Test func `a clock tells the time that sleeping takes, and no work does`() async {
    let exploration = await explore {
      let began = ContinuousClock.now
      for number in 1...10_000 { blackHole(number) }
      let worked = ContinuousClock.now - began
      try await Task.sleep(for: .seconds(3600))
      return [worked, ContinuousClock.now - began]
    }
    #expect(Set(exploration.outcomes.keys) == [[.zero, .seconds(3600)]])
  }

  @inline(never) @Sendable private func blackHole(_ number: Int) {}

  @Test func `a lock is not seen: what it orders is reported as a race, unless it is declared`()
    async
  {
    @Sendable func scenario(_ lock: Resource?) async -> Int {
      let semaphore = MutexSemaphore(1)
      let count = Shared(0, "count")
      @Sendable func add() async {
        if let lock {
          await lock.acquire { await semaphore.wait() }
          count.value += 1
          await lock.release { await semaphore.signal() }
        } else {
          await semaphore.wait()
          count.value += 1
          await semaphore.signal()
        }
      }
      async let first: Void = add()
      async let second: Void = add()
      _ = await (first, second)
      return count.value
    }
    let unseen = await explore { await scenario(nil) }
    #expect(unseen.failures.map(\.kind) == [.race])
    let declared = await explore { await scenario(Resource("lock")) }
    expectClean(declared)
  }

  @Test func `the reduction misses what the assumption excludes`() async {
    @Sendable func scenario() async -> String {
      let log = Words()
      async let first: Void = log.say("a")
      async let second: Void = log.say("b")
      _ = await (first, second)
      return log.text
    }
    let all = await explore { await scenario() }
    #expect(Set(all.outcomes.keys) == ["ab", "ba"])
    let some = await explore(.reduced(assuming: .actorIsolation)) { await scenario() }
    #expect(Set(some.outcomes.keys).isSubset(of: ["ab", "ba"]))
    #expect(some.completeness == .complete(assuming: [.actorIsolation]))
    #expect(some.completeness.description.contains("assuming that all state that tasks share"))
  }

  @Test func `an expectation inside a scenario belongs to no test`() async {
    let exploration = await explore { Test.current == nil }
    #expect(Set(exploration.outcomes.keys) == [true])
  }
}
