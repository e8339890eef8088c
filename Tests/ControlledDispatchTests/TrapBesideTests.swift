import ControlledDispatch
import Interleaving
import Testing

/// A strand traps beside others that would go on for ever, because time passes or because they wait for it.
@Suite struct TrapBesideTests {
  enum Beside: CaseIterable, Sendable {
    case repeatingTimer, sleepingTask, pollingThread, blockThatSubmitsItself, deadline, timedWaits

    /// Something that never ends.
    func begin() {
      switch self {
      case .repeatingTimer:
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "t"))
        timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
        timer.setEventHandler {}
        timer.resume()
      case .sleepingTask:
        Task { while true { try await Task.sleep(for: .seconds(1)) } }
      case .pollingThread:
        Thread.detachNewThread { while true { Thread.sleep(forTimeInterval: 0.1) } }
      case .blockThatSubmitsItself:
        let queue = DispatchQueue(label: "q")
        @Sendable func submit() { queue.asyncAfter(deadline: .now() + .seconds(1)) { submit() } }
        submit()
      case .deadline:
        Thread.detachNewThread {
          let end = DispatchTime.now() + .seconds(3600)
          while DispatchTime.now() < end {}
        }
      case .timedWaits:
        let semaphore = DispatchSemaphore(value: 0)
        Thread.detachNewThread { while semaphore.wait(timeout: .now() + 1) == .timedOut {} }
      }
    }
  }

  private func trap(
    _ time: VirtualTime, beside begin: @escaping @Sendable () -> Void
  ) async throws -> Exploration<Finished> {
    let exploration = await explore(.reduced(assuming: .controlledSharing), time: time) {
      begin()
      let index = Mutex(1)
      strands({ index.withLock { precondition($0 > 1, "no") } })
    }
    #expect(exploration.failures.map(\.kind) == [.trap], "\(exploration)")
    let trace = try #require(exploration.failures.first?.trace)
    #expect(trace.steps.count < 30)
    return exploration
  }

  @Test(arguments: Beside.allCases)
  func `what waits for a time does not keep a schedule alive in which a strand has trapped`(
    _ beside: Beside
  ) async throws {
    let exploration = try await trap(.passesWhenIdle) { beside.begin() }
    #expect(exploration.isComplete, "\(exploration)")
    #expect(exploration.schedules == 1)
  }

  @Test func `nor does a repeating timer where time passes at any step`() async throws {
    let exploration = try await trap(.passesAtAnyStep) { Beside.repeatingTimer.begin() }
    #expect(exploration.isComplete, "\(exploration)")
  }

  @Test func `who waits for a strand that has trapped is no livelock`() async throws {
    let exploration = await explore(.reduced(assuming: .controlledSharing), steps: 300) {
      let isDone = Atomic(false)
      let begins = DispatchSemaphore(value: 0)
      let index = Int("1")!
      strands(
        {
          begins.signal()
          precondition(index > 1, "no")
          isDone.store(true, ordering: .relaxed)
        },
        {
          begins.wait()
          while !isDone.load(ordering: .relaxed) {}
        })
    }
    #expect(exploration.failures.map(\.kind) == [.trap], "\(exploration)")
    #expect(exploration.completeness == .stepLimit(300))
  }

  @Test func `a trap hides no other that needs no time to pass`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let index = Mutex(1)
      strands(
        { index.withLock { precondition($0 > 1, "one") } },
        { index.withLock { precondition($0 > 1, "other") } })
    }
    #expect(exploration.failures.map(\.kind) == [.trap, .trap], "\(exploration)")
    #expect(exploration.schedules == 2)
  }
}
