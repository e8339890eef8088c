import ControlledDispatch
import Interleaving
import Testing

/// The reduction against schedules drawn by chance, over random programs of all the stand-ins.
@Suite(unlessSanitized, .timeLimit(.minutes(60))) struct ReductionTests {
  @Test func `no outcome and no failure that the reduction has missed`() async {
    var generator = SplitMix64(seed: number("SEED") ?? 41)
    let programs = (number("PROGRAMS") ?? 30) / 3
    var compared = 0
    for _ in 0..<programs {
      let program = MixedProgram(using: &generator)
      let reduced = await explore(reduced, limit: 1_000) { program.run() }
      guard reduced.isComplete else { continue }
      compared += 1
      let drawn = await explore(.random(seed: generator.next()), limit: 300) { program.run() }
      func isMissed() -> Bool {
        !Set(drawn.outcomes.keys).isSubset(of: reduced.outcomes.keys)
          // Items are named in the order in which they come, which may differ within a class.
          || !Set(drawn.failures.map(\.kind)).isSubset(of: reduced.failures.map(\.kind))
      }
      #expect(!isMissed(), "\(program.strands)\n\(reduced)\n\(drawn)")
      guard !isMissed() else { return }
    }
    print("\(compared) of \(programs) programs compared")
    #expect(compared * 2 > programs)
  }

  /// The order of two that leave a group matters as soon as one of them may trap.
  @Test func `after a leave that traps no class is lost`() async {
    let scenario: @Sendable () async -> Int = {
      let group = DispatchGroup()
      let value = Reference()
      strands(
        {
          group.leave()
          value.atomic.store(5, ordering: .relaxed)
          group.enter()
        },
        {
          group.enter()
          group.leave()
        })
      return value.atomic.load(ordering: .relaxed)
    }
    for strategy in [Strategy.exhaustive, reduced] {
      let exploration = await explore(strategy, scenario: scenario)
      #expect(exploration.isComplete)
      #expect(Set(exploration.outcomes.keys) == [5], "\(strategy)")
      #expect(
        Set(exploration.failures.map { $0.message.prefix(1) }) == ["A", "B"], "\(strategy)")
      #expect(Set(exploration.failures.map(\.kind)) == [.trap])
    }
  }

  /// Every schedule against one of each class, over random programs of groups that are left too often.
  @Test func `what traps in some order traps in the reduction, and what ends ends`() async {
    var generator = SplitMix64(seed: number("SEED") ?? 15)
    var trapped = 0
    for _ in 0..<(number("PROGRAMS") ?? 30) / 3 {
      let program = LeavingProgram(using: &generator)
      let every = await explore(limit: 5_000) { program.run() }
      let some = await explore(reduced, limit: 5_000) { program.run() }
      guard every.isComplete else { continue }
      func failures(_ exploration: Exploration<Int>) -> Set<String> {
        Set(exploration.failures.map(\.message))
      }
      let isSame =
        some.isComplete && Set(every.outcomes.keys) == Set(some.outcomes.keys)
        && failures(every) == failures(some)
      #expect(isSame, "\(program.strands)\n\(every)\n\(some)")
      guard isSame else { return }
      if every.failures.contains(where: { $0.kind == .trap }) { trapped += 1 }
    }
    #expect(trapped > 5)
  }
}

private final class Reference: Sendable {
  let atomic = Atomic(0)
}

/// A few strands that enter and leave two groups, and say how far they came.
private struct LeavingProgram: Sendable {
  enum Step: CaseIterable { case enter, leave, enterOther, leaveOther, say }

  let strands: [[Step]]

  init(using generator: inout SplitMix64) {
    let count = Int.random(in: 2...3, using: &generator)
    strands = (0..<count).map { _ in
      (0..<Int.random(in: 1...(count == 2 ? 3 : 2), using: &generator)).map { _ in
        Step.allCases.randomElement(using: &generator)!
      }
    }
  }

  func run() -> Int {
    let (group, other) = (DispatchGroup(), DispatchGroup())
    let said = Reference()
    ControlledDispatch.strands(
      strands.enumerated().map { index, steps in
        {
          for step in steps {
            switch step {
            case .enter: group.enter()
            case .leave: group.leave()
            case .enterOther: other.enter()
            case .leaveOther: other.leave()
            case .say: said.atomic.add(1 << index, ordering: .relaxed)
            }
          }
        }
      })
    return said.atomic.load(ordering: .relaxed)
  }
}

/// A few strands that use everything.
private struct MixedProgram: Sendable {
  enum Step: CaseIterable {
    case add, async, sync, barrier, read, enter, leave, wait, notify, timedWait, signal, sleep,
      cancel
    case suspend
  }

  let strands: [[Step]]

  init(using generator: inout SplitMix64) {
    // Few kinds in one program, so that they meet.
    let kinds = Step.allCases.shuffled(using: &generator).prefix(3) + [.add]
    strands = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
      (0..<Int.random(in: 1...2, using: &generator)).map { _ in
        kinds.randomElement(using: &generator)!
      }
    }
  }

  func run() -> [Int] {
    let sum = Shared(0, "sum")
    let lock = NSLock()
    let serial = DispatchQueue(label: "serial")
    let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 0)
    let item = DispatchWorkItem { lock.withLock { sum.value += 1000 } }
    @Sendable func add(_ amount: Int) { lock.withLock { sum.value = sum.value * 3 + amount } }
    ControlledDispatch.strands(
      strands.enumerated().map { index, steps in
        {
          for step in steps {
            switch step {
            case .add: add(index + 1)
            case .async: serial.async { add(10 + index) }
            case .sync: serial.sync { add(20 + index) }
            case .barrier: concurrent.async(flags: .barrier) { add(30 + index) }
            case .read: concurrent.sync { add(40 + index) }
            case .enter: group.enter()
            case .leave: group.leave()
            case .wait: group.wait()
            case .notify: group.notify(queue: serial) { add(50 + index) }
            case .timedWait:
              if semaphore.wait(timeout: .now() + .milliseconds(5 + index)) == .success {
                add(60 + index)
              }
            case .signal: semaphore.signal()
            case .sleep:
              DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(6)) {
                add(70 + index)
              }
            case .cancel:
              if index == 0 { DispatchQueue.global().async(execute: item) } else { item.cancel() }
            case .suspend:
              serial.suspend()
              add(80 + index)
              serial.resume()
            }
          }
        }
      })
    return lock.withLock { [sum.value] }
  }
}
