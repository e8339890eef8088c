import ControlledDispatch
import Interleaving
import Testing

/// The reduction against schedules drawn by chance, over random programs of all the stand-ins.
@Suite(unlessSanitized, .timeLimit(.minutes(60))) struct ReductionTests {
  @Test func `no outcome and no failure that the reduction has missed`() async {
    var generator = SplitMix64(seed: number("SEED") ?? 41)
    let programs = (number("PROGRAMS") ?? 150) / 3
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
