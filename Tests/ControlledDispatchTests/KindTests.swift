import ControlledDispatch
import Interleaving
import Testing

/// A call of a queue within another runs, traps or hangs as with real Dispatch on Linux.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct KindTests {
  @Test(arguments: Kinds.Outer.allCases, [Strategy.exhaustive, reduced])
  func `the stand-ins do what the real ones do`(_ outer: Kinds.Outer, _ strategy: Strategy) async {
    for kinds in Kinds.all where kinds.outer == outer {
      // Every order of iterations, or of three queues, takes long.
      if strategy == .exhaustive, kinds.inner.isPerform || kinds.hasThreeQueues { continue }
      // So many of all schedules, with SCHEDULES more; the reduction has to be complete.
      let limit = strategy == .exhaustive ? number("SCHEDULES") ?? 200 : 100_000
      let exploration = await ReportDetail.$wanted.withValue(.outcome) {
        await explore(strategy, limit: limit) { kinds.playAsStandIn() }
      }
      var fates = Set(exploration.outcomes.keys.map { Kinds.Fate.runs($0) })
      for failure in exploration.failures {
        fates.formUnion(failure.kind == .deadlock ? [.hang] : failure.kind == .trap ? [.trap] : [])
      }
      #expect(exploration.failures.allSatisfy { [.deadlock, .trap].contains($0.kind) }, "\(kinds)")
      if exploration.isComplete {
        #expect(fates == Kinds.fates[kinds], "\(kinds)\n\(exploration)")
      } else {
        #expect(exploration.completeness == .scheduleLimit(limit), "\(kinds)")
        #expect(strategy == .exhaustive, "\(kinds)")
        #expect(Kinds.fates[kinds]?.isSuperset(of: fates) == true, "\(kinds)\n\(exploration)")
      }
    }
  }

  @Test(arguments: Kinds.all)
  func `the real ones do what was measured`(_ kinds: Kinds) async throws {
    let expected = try #require(Kinds.fates[kinds])
    // Whether an order comes is chance; that no other comes is not.
    let limit: UInt32 = expected.contains(.hang) ? 1 : 60
    let result = try await #require(processExitsWith: .failure) {
      [kinds = kinds as Kinds, limit = limit as UInt32] in
      kinds.exitForReal(limit: limit)
    }
    let fate = try #require(Kinds.Fate(result.exitStatus))
    #expect(expected.contains(fate), "\(kinds): \(fate)")
  }
}

/// A queue of the stand-ins.
private struct StandIn: KindQueue {
  private let queue: DispatchQueue

  init(_ label: String, isConcurrent: Bool, target: StandIn?) {
    queue = DispatchQueue(
      label: label, attributes: isConcurrent ? .concurrent : [], target: target?.queue)
  }

  private init(_ queue: DispatchQueue) { self.queue = queue }

  static var global: StandIn { StandIn(.global()) }
  static var main: StandIn { StandIn(.main) }

  static func perform(_ iterations: Int, _ work: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: iterations, execute: work)
  }

  func sync(isBarrier: Bool, _ work: () -> Void) {
    queue.sync(flags: isBarrier ? .barrier : [], execute: work)
  }

  func async(isBarrier: Bool, _ work: @escaping @Sendable () -> Void) {
    queue.async(flags: isBarrier ? .barrier : [], execute: work)
  }
}

extension Kinds {
  /// Whether what begins on one queue goes on on another, beside a third.
  fileprivate var hasThreeQueues: Bool {
    outer == .onConcurrentTarget && place == .sibling && [.async, .barrierAsync].contains(inner)
  }

  /// Makes the calls and waits for them.
  fileprivate func playAsStandIn() -> String {
    let said = Said()
    play(StandIn.self) { character in
      said.text.withLock { $0.append(character) }
      said.count.signal()
    }
    for _ in 0..<3 { said.count.wait() }
    return said.text.withLock { $0 }
  }
}

private final class Said: Sendable {
  let text = Mutex("")
  let count = DispatchSemaphore(value: 0)
}
