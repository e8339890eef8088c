import ControlledDispatch
import Foundation
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// Time in an exploration: what is read, and what is waited for.
@Suite(.requiresWatching) struct TimeTests {
  @Test func `all clocks tell the time that sleeping takes`() async throws {
    let exploration = await explore { try await Clocks.readings() }
    let readings = try #require(exploration.outcomes.keys.first)
    #expect(readings.count == 7)
    #expect(readings.allSatisfy { $0.value == 1500 }, "\(readings)")
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test func `outside of an exploration clocks tell the real time`() async throws {
    _ = await explore { try? await Task.sleep(for: .seconds(3600)) }
    let (start, date) = (ContinuousClock.now, Date())
    try await Task.sleep(for: .milliseconds(20))
    #expect((.milliseconds(20) ..< .seconds(1800)).contains(ContinuousClock.now - start))
    #expect((0.01..<1800).contains(Date().timeIntervalSince(date)))
  }

  static func debounced(_ sent: [(Int, pause: Duration?)]) async throws -> [Int] {
    let clock = ContinuousClock()
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    async let emitted = Clocks.debounce(values, for: .milliseconds(100), clock: clock)
    for (value, pause) in sent {
      continuation.yield(value)
      if let pause { try await clock.sleep(for: pause) }
    }
    continuation.finish()
    return await emitted
  }

  static func throttled() async -> [Int] {
    let clock = ContinuousClock()
    let values = Clocks.values(
      [
        (1, .milliseconds(40)), (2, .milliseconds(80)), (3, .milliseconds(120)),
        (4, .milliseconds(10)),
      ],
      clock: clock)
    return await Clocks.throttle(values, for: .milliseconds(100), clock: clock)
  }

  @Test func `who is closed while it pauses is saved once, by the reduction too`() async {
    let all = await explore(.exhaustive, time: .passesWhenIdle) { await Saver.closeWhilePaused() }
    let some = await explore(
      .reduced(assuming: .controlledSharing), time: .passesWhenIdle
    ) { await Saver.closeWhilePaused() }
    #expect(Set(some.outcomes.keys) == [1])
    #expect(Set(all.outcomes.keys) == [1])
    #expect(some.isComplete && some.schedules < all.schedules, "\(some) \(all.schedules)")
    #expect(some.advice == nil)
  }

  @Test func `a debounce and a throttle where work takes no time`() async {
    let debounced = await explore(time: .passesWhenIdle) {
      try await Self.debounced(
        [(1, .milliseconds(20)), (2, .milliseconds(150)), (3, nil)])
    }
    #expect(Set(debounced.outcomes.keys) == [[2, 3]], "\(debounced)")
    #expect(debounced.isComplete, "\(debounced)")
    let throttled = await explore(time: .passesWhenIdle) { await Self.throttled() }
    #expect(Set(throttled.outcomes.keys) == [[1, 3, 4]], "\(throttled)")
    #expect(throttled.isComplete, "\(throttled)")
  }

  @Test func `a throttle where work takes any time`() async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let clock = ContinuousClock()
      let values = Clocks.values(
        [(1, .milliseconds(40)), (2, .milliseconds(80)), (3, .milliseconds(10))], clock: clock)
      return await Clocks.throttle(values, for: .milliseconds(100), clock: clock)
    }
    // Each of the later values may be looked at when the pauses before it have passed, or long after; but 2 and 3 are never
    // both 100 ms from what is emitted before, since there are 130 ms in all.
    #expect(Set(exploration.outcomes.keys) == [[1], [1, 2], [1, 3]], "\(exploration)")
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: Clocks.Poll.allCases, [VirtualTime.passesAtAnyStep, .passesWhenIdle])
  func `who looks at a clock for an hour comes to its end`(
    _ poll: Clocks.Poll, _ time: VirtualTime
  ) async {
    let exploration = await explore(time: time) {
      await Clocks.poll(poll, clock: ContinuousClock())
    }
    #expect(Set(exploration.outcomes.keys) == [true], "\(exploration)")
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test func `what threads of the old kind wait with is under control, too`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing), time: .passesWhenIdle) {
      let lock = NSConditionLock(condition: 0)
      let began = Date()
      ControlledDispatch.strands(
        {
          usleep(1_500_000)
          lock.lock()
          lock.unlock(withCondition: 1)
        },
        {
          // Without a limit, Foundation on Linux traps where it has to wait.
          _ = lock.lock(whenCondition: 1, before: began.addingTimeInterval(3600))
          lock.unlock()
        })
      return Date().timeIntervalSince(began)
    }
    #expect(Set(exploration.outcomes.keys) == [1.5], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a thread that sleeps for ever waits for what never comes`() async throws {
    let exploration = await explore { Clocks.sleepForEver() }
    let failure = try #require(exploration.failures.first)
    #expect(failure.kind == .deadlock, "\(exploration)")
    #expect(failure.message.contains("scenario waits for a moment that never comes"), "\(failure)")
  }

  @Test func `a task that sleeps for ever may be woken, and clocks are read after it`() async {
    let exploration = await explore {
      let sleeper = Task { try? await Task.sleep(for: .seconds(Int64.max)) }
      sleeper.cancel()
      await sleeper.value
      return Date() < .distantFuture
    }
    #expect(Set(exploration.outcomes.keys) == [true], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a debounce where work takes any time`() async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      try await Self.debounced([(1, .milliseconds(20)), (2, nil)])
    }
    // 2 may be received when the time of 1 is over. The last one is always given on.
    #expect(Set(exploration.outcomes.keys) == [[2], [1, 2]], "\(exploration)")
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: TimedWait.allCases)
  func `a wait with a time limit ends as a real one does`(_ wait: TimedWait) async {
    let isSleep = [.sleep, .usleep, .nanosleep, .posixSleep].contains(wait)
    for (limit, delay) in [(0.02, 30.0), (60.0, 0.01)] where !isSleep || limit < 1 {
      let exploration = await explore(.reduced(assuming: .actorIsolation), time: .passesWhenIdle) {
        await wait.run(for: limit, givenAfter: delay)
      }
      #expect(Set(exploration.outcomes.keys) == [isSleep || limit > delay], "\(exploration)")
      #expect(exploration.failures.isEmpty, "\(exploration)")
      #expect(exploration.isComplete, "\(exploration)")
    }
    #expect(await wait.run(for: 0.001, isGiven: false) == isSleep)
    if !isSleep { #expect(await wait.run(for: 60, isGiven: true)) }
  }
}
