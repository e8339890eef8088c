import ControlledDispatch
import Interleaving
import Testing

/// The main queue and the main actor are one line: what is asked for first runs first, and one at a time.
@Suite struct MainLineTests {
  private static let strategies: [Strategy] = [
    .exhaustive, .reduced(assuming: .controlledSharing),
  ]

  private func outcomes<Outcome: Hashable & Sendable>(
    _ strategy: Strategy, _ scenario: @escaping @Sendable () async -> Outcome
  ) async -> Set<Outcome> {
    let exploration = await explore(strategy, scenario: scenario)
    #expect(exploration.isComplete, "\(exploration)")
    #expect(exploration.failures.isEmpty, "\(exploration)")
    return Set(exploration.outcomes.keys)
  }

  @Test(arguments: strategies)
  func `who asks for both gets both in that order`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let (text, done) = (Shared(""), DispatchSemaphore(value: 0))
      DispatchQueue.main.async {
        text.value += "["
        text.value += "]"
        done.signal()
      }
      await MainActor.run { text.value += "x" }
      done.wait()
      return text.value
    }
    #expect(found == ["[]x"])
  }

  @Test(arguments: strategies)
  func `of two who ask each may be first, and neither comes into the other`(
    strategy: Strategy
  ) async {
    let found = await outcomes(strategy) {
      let (text, done) = (Shared(""), DispatchSemaphore(value: 0))
      async let task: Void = MainActor.run {
        text.value += "<"
        text.value += ">"
      }
      DispatchQueue.main.async {
        text.value += "["
        text.value += "]"
        done.signal()
      }
      done.wait()
      await task
      return text.value
    }
    #expect(found == ["[]<>", "<>[]"])
  }

  @Test(arguments: strategies)
  func `a task that awaits leaves the line, and comes to its end again`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let text = Shared("")
      await Task { @MainActor in
        text.value += "1"
        DispatchQueue.main.async { text.value += "[]" }
        await Task.yield()
        text.value += "2"
      }.value
      return text.value
    }
    #expect(found == ["1[]2"])
  }

  @Test(arguments: strategies)
  func `a queue that targets the main queue keeps out of the main actor`(strategy: Strategy) async {
    let found = await outcomes(strategy) {
      let (text, done) = (Shared(""), DispatchSemaphore(value: 0))
      DispatchQueue(label: "q", target: .main).async {
        text.value += "["
        text.value += "]"
        done.signal()
      }
      await MainActor.run {
        text.value += "<"
        text.value += ">"
      }
      done.wait()
      return text.value
    }
    #expect(found == ["[]<>", "<>[]"])
  }

  /// A class half moved to the main actor: what its callers await is kept there, and resumed by blocks of the main queue.
  @MainActor private final class Session {
    private var waiter: CheckedContinuation<String, Never>?

    func reply() async -> String {
      await withCheckedContinuation { waiter = $0 }
    }

    func end(with reply: String) { waiter.take()?.resume(returning: reply) }
  }

  @Test(arguments: strategies)
  func `what main-actor code keeps a block of the main queue may resume`(
    strategy: Strategy
  ) async {
    let found = await outcomes(strategy) {
      let session = Session()
      let reply = Task { @MainActor in
        DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) {
          MainActor.assumeIsolated { session.end(with: "time is over") }
        }
        DispatchQueue.global().async {
          DispatchQueue.main.async { MainActor.assumeIsolated { session.end(with: "reply") } }
        }
        return await session.reply()
      }
      return await reply.value
    }
    #expect(found == ["reply", "time is over"])
  }

  @Test func `sync on the main queue from the main actor traps`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      await MainActor.run { DispatchQueue.main.sync {} }
    }
    #expect(exploration.failures.map(\.kind) == [.trap], "\(exploration)")
    #expect(
      exploration.failures.first?.message.contains("calls sync on queue main, on which it runs")
        == true, "\(exploration)")
  }

  @Test func `a wait on the main actor for a block of the main queue is a deadlock`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let done = DispatchSemaphore(value: 0)
      await MainActor.run {
        DispatchQueue.main.async { done.signal() }
        done.wait()
      }
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock], "\(exploration)")
    #expect(exploration.isComplete)
  }

  @Test func `a wait on the main queue for the main actor is a deadlock`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let (asked, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      DispatchQueue.main.async {
        asked.signal()
        done.wait()
      }
      asked.wait()
      await MainActor.run {}
      done.signal()
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock], "\(exploration)")
  }
}
