import ControlledDispatch
import Interleaving
import Testing

/// A timer that fires for ever, in explorations that end.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct RepeatingTimerTests {
  /// Waits for so many firings, then cancels; returns how often it has fired in the end.
  @Sendable private static func count(to ticks: Int, ahead: Int) -> Int {
    RepeatingTimers.runAhead(ahead)
    let (queue, count, tick) = (
      DispatchQueue(label: "q"), Shared(0, "count"), DispatchSemaphore(value: 0)
    )
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler {
      count.value += 1
      tick.signal()
    }
    timer.schedule(deadline: .now(), repeating: .seconds(1))
    timer.activate()
    for _ in 0..<ticks { tick.wait() }
    timer.cancel()
    return queue.sync { count.value }
  }

  @Test(arguments: [(2, 0), (2, 1), (2, 3), (5, 1), (3, 4)])
  func `what is waited for comes, and what runs ahead is bounded`(
    _ ticks: Int, _ ahead: Int
  ) async {
    let exploration = await explore(reduced) { Self.count(to: ticks, ahead: ahead) }
    #expect(Set(exploration.outcomes.keys) == Set(ticks...max(ticks, ahead)), "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: [VirtualTime.passesAtAnyStep, .passesWhenIdle])
  func `the reduction leaves no outcome out`(_ time: VirtualTime) async {
    let scenario: @Sendable () -> Int = {
      RepeatingTimers.runAhead(1)
      let (queue, done) = (DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
      let (timer, count) = (DispatchSource.makeTimerSource(queue: queue), Shared(0, "count"))
      timer.setEventHandler {
        count.value += 1
        if count.value == 2 { done.signal() }
      }
      timer.schedule(deadline: .now(), repeating: .milliseconds(2))
      timer.activate()
      done.wait()
      timer.cancel()
      return queue.sync { count.value }
    }
    let reduction = await explore(reduced, time: time, scenario: scenario)
    let all = await explore(.exhaustive, limit: 2_000, time: time, scenario: scenario)
    #expect(Set(reduction.outcomes.keys).isSuperset(of: all.outcomes.keys), "\(reduction) \(all)")
    #expect(reduction.failures.isEmpty && reduction.isComplete, "\(reduction)")
    #expect(all.failures.isEmpty, "\(all)")
  }

  @Test func `a timer that goes on keeps no execution alive, and is no leak`() async {
    let exploration = await explore(reduced) {
      let kept = Shared((any DispatchSourceTimer)?.none.map { _ in 0 }, "kept")
      let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler { _ = timer.data }
      timer.schedule(deadline: .now(), repeating: .milliseconds(1))
      timer.activate()
      return kept.value == nil
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    #expect(exploration.abandonedTasks == 0)
  }

  @Test func `a strand that waits for ever beside a timer is found`() async {
    let exploration = await explore(reduced) {
      let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler { _ = timer.data }
      timer.schedule(deadline: .now(), repeating: .milliseconds(1))
      timer.activate()
      DispatchQueue.global().async { DispatchSemaphore(value: 0).wait() }
    }
    #expect(exploration.failures.map(\.kind) == [.leak], "\(exploration)")
    let stuck = await explore(reduced, limit: 1, steps: 300) {
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now(), repeating: .milliseconds(1))
      timer.activate()
      DispatchSemaphore(value: 0).wait()
      timer.cancel()
    }
    // The timer could change that at any time.
    #expect(stuck.failures.map(\.kind) == [.livelock], "\(stuck)")
  }

  @Test func `a cancelled timer may fire once more, and never after its cancel handler`() async {
    let exploration = await explore(reduced) {
      let (log, ended) = (Shared("", "log"), DispatchSemaphore(value: 0))
      let queue = DispatchQueue(label: "q")
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { log.value += "e" }
      timer.setCancelHandler {
        log.value += "c"
        ended.signal()
      }
      timer.schedule(deadline: .now() + 1)
      timer.activate()
      timer.cancel()
      ended.wait()
      return log.value
    }
    #expect(Set(exploration.outcomes.keys) == ["c", "ec"])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }
}
