import ControlledDispatch
import Glibc
import Interleaving
import Testing

/// Strands and tasks in one scenario, replays, and what happens outside an exploration.
@Suite(.timeLimit(.minutes(30))) struct MixedTests {
  /// An actor whose method calls into a queue, as code that is being ported does.
  private actor Album {
    private let queue: DispatchQueue
    private let names: Shared<String>

    init(_ queue: DispatchQueue, _ names: Shared<String>) {
      self.queue = queue
      self.names = names
    }

    func add(_ name: String) { queue.sync { names.value += name } }
  }

  @Test func `a task that calls into a queue`() async {
    let exploration = await explore {
      let queue = DispatchQueue(label: "names")
      let names = Shared("", "names")
      let album = Album(queue, names)
      async let first: Void = album.add("a")
      async let second: Void = album.add("b")
      _ = await (first, second)
      return queue.sync { names.value }
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.completeness == .complete(assuming: [.controlledSharing]))
    let reduced = await explore(reduced) {
      let queue = DispatchQueue(label: "names")
      let album = Album(queue, Shared("", "names"))
      async let first: Void = album.add("a")
      await album.add("b")
      await first
    }
    #expect(reduced.completeness == .complete(assuming: [.controlledSharing]))
  }

  @Test func `a task that waits for what a queue resumes`() async {
    let exploration = await explore {
      await Interleaving.withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: 1) }
      }
    }
    #expect(Set(exploration.outcomes.keys) == [1])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: [Strategy.exhaustive, reduced])
  func `a resume under the lock of a cancellation handler, from a strand that blocks`(
    strategy: Strategy
  ) async {
    let exploration = await explore(strategy) {
      let lock = ControlledDispatch.Mutex<CheckedContinuation<Bool, Never>?>(nil)
      let reader = Task.immediate {
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in lock.withLock { $0 = continuation } }
        } onCancel: {
          lock.withLock { $0.take() }?.resume(returning: false)
        }
      }
      strands([
        { lock.withLock { $0.take()?.resume(returning: true) } }, { reader.cancel() },
      ])
      return await reader.value
    }
    #expect(Set(exploration.outcomes.keys) == [true, false])
    #expect(exploration.isComplete)
    #expect(
      exploration.failures.map(\.message) == [
        "a cycle of 2: A waits for the status of task 1, held by B; B waits for Mutex, held by A"
      ])
  }

  @Test func `a block of the main queue is isolated to the main actor, and no other is`() async {
    let exploration = await explore {
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.main.async {
        MainActor.assumeIsolated {}
        done.signal()
      }
      done.wait()
    }
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    #if os(Linux)
      guard !SwiftRuntime.isSanitized else { return }
      let wrong = await explore {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue(label: "other").async {
          MainActor.assumeIsolated {}
          done.signal()
        }
        done.wait()
      }
      #expect(wrong.failures.map(\.kind) == [.trap], "\(wrong)")
      #expect(wrong.failures[0].message.contains("Incorrect actor executor assumption"))
    #endif
  }

  @Test func `a semaphore that a task waits for on an actor keeps others from it`() async {
    actor Gatekeeper {
      func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
      func open(_ semaphore: DispatchSemaphore) { semaphore.signal() }
    }
    let exploration = await explore {
      let semaphore = DispatchSemaphore(value: 0)
      let gatekeeper = Gatekeeper()
      async let first: Void = gatekeeper.wait(semaphore)
      async let second: Void = gatekeeper.open(semaphore)
      _ = await (first, second)
    }
    #expect(Set(exploration.failures.map(\.kind)) == [.deadlock])
    #expect(!exploration.outcomes.isEmpty)
    #expect(exploration.isComplete)
  }

  @Test func `a replay gives the same trace, in another process too`() async throws {
    let exploration = await explore(reduced) { pairs([(0, 1), (1, 0)]) }
    let failure = try #require(exploration.failures.first)
    let schedule = try #require(failure.schedule).description
    let trace = try #require(failure.trace).text()
    #expect(
      trace == """
        A and B are threads.

           A                                       B
        1  locks NSLock in pairs
        2                                          locks NSLock in pairs 2
        3  waits for NSLock in pairs 2, held by B
        4                                          waits for NSLock in pairs, held by A

        """)
    let again = try await replay(schedule) { pairs([(0, 1), (1, 0)]) }
    #expect(again.failures.first?.trace?.text() == trace)
    await #expect(processExitsWith: .success) {
      [schedule = schedule as String, trace = trace as String] in
      let again = try await replay(schedule) { pairs([(0, 1), (1, 0)]) }
      guard again.failures.first?.trace?.text() == trace else { exit(1) }
    }
  }

  @Test func `the failure with the fewest switches is shown`() async throws {
    // Every strategy finds it, and each is shortened to the same.
    for strategy in [reduced, .random(seed: 3), .pct(seed: 3, depth: 2), .preemptionBounded(2)] {
      let exploration = await explore(strategy, limit: 300) {
        let counter = Shared(0)
        strands({ counter.value += 1 }, { counter.value += 1 })
        if counter.value == 1 { throw Lost() }
      }
      let lost = try #require(exploration.failures.first { $0.kind == .error })
      #expect(lost.trace?.switches == 4, "\(strategy) \(lost)")
      #expect(
        lost.cause
          == "A read shared = 0; B made it 1; then A wrote 1"
          || lost.cause == "B read shared = 0; A made it 1; then B wrote 1")
    }
  }

  private struct Lost: Error {}

  @Test func `a stand-in outside an exploration says so`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      NSLock().lock()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("NSLock was used outside an exploration"))
    #expect(text.contains("import Dispatch, Foundation or Synchronization instead"))
  }
}
