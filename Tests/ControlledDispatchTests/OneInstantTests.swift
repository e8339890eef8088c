import ControlledDispatch
import Interleaving
import Testing

/// What comes due at one moment on threads and queues, where time passes only when nothing else can go on: it can go on in
/// any order.
@Suite struct OneInstantTests {
  private static let strategies: [Strategy] = [
    .exhaustive, .reduced(assuming: .controlledSharing),
  ]

  private func outcomes<Outcome: Hashable & Sendable>(
    _ strategy: Strategy, _ scenario: @escaping @Sendable () -> Outcome
  ) async -> Set<Outcome> {
    let exploration = await explore(strategy, time: .passesWhenIdle) { scenario() }
    #expect(exploration.isComplete, "\(exploration)")
    #expect(exploration.failures.isEmpty, "\(exploration)")
    return Set(exploration.outcomes.keys)
  }

  /// A number that may change between being read and being written.
  private final class Count: Sendable {
    let number = Mutex(0)
    func add() {
      let read = number.withLock { $0 }
      number.withLock { $0 = read + 1 }
    }
  }

  @Test(arguments: strategies)
  func `threads that have slept as long`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let count = Count()
      strands(
        {
          Thread.sleep(forTimeInterval: 1)
          count.add()
        },
        {
          Thread.sleep(forTimeInterval: 1)
          count.add()
        })
      return count.number.withLock { $0 }
    }
    #expect(found == [1, 2])
  }

  @Test(arguments: strategies)
  func `blocks of two queues that are due at once`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let count = Count()
      for label in ["one", "two"] {
        DispatchQueue(label: label).asyncAfter(deadline: .now() + .seconds(1)) { count.add() }
      }
      Thread.sleep(forTimeInterval: 2)
      return count.number.withLock { $0 }
    }
    #expect(found == [1, 2])
  }

  @Test(arguments: strategies)
  func `a wait that gives up when the signal comes has it, or has not`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let semaphore = DispatchSemaphore(value: 0)
      let result = Mutex(false)
      strands(
        {
          Thread.sleep(forTimeInterval: 1)
          semaphore.signal()
        },
        {
          let isInTime = semaphore.wait(timeout: .now() + 1) == .success
          result.withLock { $0 = isInTime }
        })
      return result.withLock { $0 }
    }
    #expect(found == [false, true])
  }

  @Test(arguments: strategies)
  func `of two waits that give up when one signal comes each may have it, or none`(
    strategy: Strategy
  ) async {
    let found = await outcomes(strategy) {
      let semaphore = DispatchSemaphore(value: 0)
      let results = Mutex([false, false])
      @Sendable func wait(_ index: Int) {
        let isInTime = semaphore.wait(timeout: .now() + 1) == .success
        results.withLock { $0[index] = isInTime }
      }
      strands(
        {
          Thread.sleep(forTimeInterval: 1)
          semaphore.signal()
        }, { wait(0) }, { wait(1) })
      return results.withLock { $0 }
    }
    #expect(found == [[false, false], [true, false], [false, true]])
  }

  @Test(arguments: strategies)
  func `a timer and a thread that sleeps as long`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let count = Count()
      let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
      timer.schedule(deadline: .now() + .seconds(1))
      timer.setEventHandler { count.add() }
      timer.resume()
      Thread.sleep(forTimeInterval: 1)
      count.add()
      Thread.sleep(forTimeInterval: 1)
      return count.number.withLock { $0 }
    }
    #expect(found == [1, 2])
  }
}
