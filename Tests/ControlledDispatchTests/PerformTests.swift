import ControlledDispatch
import Interleaving
import Testing

/// On which queue the iterations of `concurrentPerform` are, as measured on Linux: those on the caller's thread on
/// the caller's, without its specifics, and those on workers on none.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct PerformTests {
  enum Outer: CaseIterable, Sendable { case serial, concurrent, barrier, main, global, targeting }

  enum Question: CaseIterable, Sendable {
    case specific, onQueue, asBarrier, notOnQueue, sync, barrierSync
  }

  /// Asks in an iteration what the caller's queue is to it.
  ///
  /// - Returns: Whether a specific was seen.
  private func ask(
    _ question: Question, on outer: Outer, of iterations: Int,
    in asks: @escaping @Sendable (Int) -> Bool
  ) -> Bool {
    let key = DispatchSpecificKey<Int>()
    let queue =
      switch outer {
      case .serial: DispatchQueue(label: "a")
      case .targeting: DispatchQueue(label: "a", target: DispatchQueue(label: "t"))
      case .concurrent, .barrier: DispatchQueue(label: "a", attributes: .concurrent)
      case .main: DispatchQueue.main
      case .global: DispatchQueue.global()
      }
    queue.setSpecific(key: key, value: 1)
    let seen = Atomics(false)
    let done = DispatchSemaphore(value: 0)
    queue.async(flags: outer == .barrier ? .barrier : []) {
      DispatchQueue.concurrentPerform(iterations: iterations) { index in
        guard asks(index) else { return }
        switch question {
        case .specific:
          if DispatchQueue.getSpecific(key: key) != nil {
            seen.value.store(true, ordering: .relaxed)
          }
        case .onQueue: dispatchPrecondition(condition: .onQueue(queue))
        case .asBarrier: dispatchPrecondition(condition: .onQueueAsBarrier(queue))
        case .notOnQueue: dispatchPrecondition(condition: .notOnQueue(queue))
        case .sync: queue.sync {}
        case .barrierSync: queue.sync(flags: .barrier) {}
        }
      }
      done.signal()
    }
    done.wait()
    return seen.value.load(ordering: .relaxed)
  }

  private func fates(
    _ question: Question, _ outer: Outer, of iterations: Int,
    in asks: @escaping @Sendable (Int) -> Bool
  ) async -> Set<Kinds.Fate> {
    let exploration = await ReportDetail.$wanted.withValue(.outcome) {
      await explore(reduced) { ask(question, on: outer, of: iterations, in: asks) }
    }
    #expect(exploration.isComplete)
    #expect(exploration.outcomes[true] == nil)
    return Set(exploration.failures.map { $0.kind == .deadlock ? .hang : .trap })
      .union(exploration.outcomes.isEmpty ? [] : [.runs("")])
  }

  /// What was measured: in an iteration on the caller's thread, and in one on a worker.
  private func expected(
    _ question: Question, _ outer: Outer
  ) -> (caller: Kinds.Fate, worker: Kinds.Fate) {
    let runs = Kinds.Fate.runs("")
    switch (question, outer) {
    case (.specific, _): return (runs, runs)
    case (.onQueue, .global), (.sync, .global), (.barrierSync, .global): return (runs, runs)
    case (.asBarrier, .global), (.notOnQueue, .global): return (.trap, .trap)
    case (.onQueue, _): return (runs, .trap)
    case (.asBarrier, .concurrent): return (.trap, .trap)
    case (.asBarrier, _): return (runs, .trap)
    case (.notOnQueue, _): return (.trap, runs)
    case (.sync, .concurrent): return (runs, runs)
    case (.barrierSync, .concurrent): return (.hang, .hang)
    case (.sync, _), (.barrierSync, _): return (.trap, .hang)
    }
  }

  @Test(arguments: Outer.allCases, Question.allCases)
  func `an iteration may be the caller's or a worker's`(
    _ outer: Outer, _ question: Question
  ) async {
    let (caller, worker) = expected(question, outer)
    let one = await fates(question, outer, of: 2) { $0 == 1 }
    #expect(one == [caller, worker])
    let alone = await fates(question, outer, of: 1) { _ in true }
    #expect(alone == [caller])
  }

  @Test func `where all iterations would wait for the caller, one is the caller's`() async {
    #expect(await fates(.sync, .serial, of: 3) { _ in true } == [.trap])
    #expect(await fates(.sync, .serial, of: 3) { $0 > 0 } == [.trap, .hang])
  }

  @Test func `no iterations end at once`() async {
    #expect(await fates(.sync, .serial, of: 0) { _ in true } == [.runs("")])
  }
}
