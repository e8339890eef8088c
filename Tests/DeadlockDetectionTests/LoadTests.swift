import Foundation
import Testing

@testable import DeadlockDetection

@Suite(.serialized, .timeLimit(.minutes(30))) struct LoadTests {
  /// Programs whose orders contradict are left out by trying all their schedules.
  @Test func `random programs that cannot deadlock give no finding`() async {
    var random = SplitMix64(seed: 10_000)
    let strands = words(locks: 4, takings: 3, isNested: true)
    let hands = words(locks: 4, takings: 2, isNested: false)
    var programs: [[[Step]]] = []
    let wanted = ProcessInfo.processInfo.environment["PROGRAMS"].flatMap(Int.init)
    let count = wanted ?? (isSanitized ? 500 : 2_000)
    while programs.count < count {
      let program = (0..<3).map { _ in
        (Bool.random(using: &random) ? strands : hands).randomElement(using: &random)!
      }
      // Orders that contradict are a finding where locks are handed over hand by hand, deadlock or not.
      if !canDeadlock(program), !contradicts(program) { programs.append(program) }
    }
    let findings = Findings()
    let detector = findings.detector
    let finished = await onThread { [programs] in
      let crew = Crew(3)
      for program in programs {
        let locks = (0..<4).map { _ in WatchedLock(class: nil, detector: detector) }
        crew.run { strand in
          for step in program[strand] {
            switch step {
            case .take(let lock): locks[lock].lock()
            case .release(let lock): locks[lock].unlock()
            }
          }
        }
      }
      crew.end()
      return true
    }
    #expect(finished)
    #expect(findings.all.isEmpty, "\(findings.all.prefix(3))")
    #expect(detector.waitCount == 0)
    #expect(detector.orders.kept == 0)
  }

  /// Queues, semaphores, groups and recursive locks, taken by rank.
  @Test func `a thousand random programs over all kinds give no finding`() async {
    let findings = Findings(patience: .seconds(600))
    let detector = findings.detector
    await onThread {
      let crew = Crew(4)
      for seed in 0..<1_000 {
        let ranked = Ranked(detector)
        crew.run { strand in
          var random = SplitMix64(seed: UInt64(seed * 4 + strand))
          for _ in 0..<6 { ranked.descend(from: 0, using: &random) }
        }
        ranked.group.wait()
      }
      crew.end()
    }
    #expect(findings.all.isEmpty, "\(findings.all.prefix(3))")
    #expect(detector.waitCount == 0)
  }

  /// With LOAD_SECONDS, for so long, and memory is looked at, too.
  @Test func `sixty-four threads and 256 locks: every deadlock is found, none is invented`()
    async throws
  {
    let seconds = ProcessInfo.processInfo.environment["LOAD_SECONDS"].flatMap(Int.init)
    let rounds = 25
    let load = Load(threads: 64, locks: 256, rings: [2, 3, 4])
    let memory = Resident()
    let isFinished = await onThread {
      load.run(rounds: rounds, atLeast: .seconds(seconds ?? 0), patience: .seconds(120)) {
        memory.sample()
      }
    }
    #expect(isFinished, "these wait for ever: \(load.detector.waiting)")
    let told = load.told
    #expect(told.wrong.isEmpty, "\(told.wrong)")
    #expect(told.deadlocks == load.refused)
    #expect(told.deadlocks > 0 && load.taken > 64 * rounds)
    #expect(told.planted == load.planted && load.planted > 0)
    // One among the locks of the load; among those of the rings, if two of one ring have gone both ways.
    #expect((1...2).contains(told.inversions))
    #expect(load.detector.waitCount == 0)
    #expect(load.detector.orders.kept <= 256 * 255)
    guard seconds != nil else { return }
    print("\(told), taken: \(load.taken), planted: \(load.planted); \(memory)")
    #expect(memory.isFlat, "\(memory)")
  }

  @Test func `sixty-four threads and 256 locks by address: nothing is found`() async {
    let findings = Findings()
    let detector = findings.detector
    let locks = (0..<256).map { _ in WatchedLock(detector: detector) }
    await onThread {
      let crew = Crew(64)
      crew.run { strand in
        var random = SplitMix64(seed: UInt64(strand))
        for _ in 0..<100 {
          let some = (0..<4).map { _ in Int.random(in: 0..<256, using: &random) }
          let ordered = Set(some).sorted()
          for lock in ordered { locks[lock].lock() }
          for lock in ordered.shuffled(using: &random) { locks[lock].unlock() }
        }
      }
      crew.end()
    }
    #expect(findings.all.isEmpty, "\(findings.all.prefix(3))")
    #expect(detector.orders.kept <= 256 * 255 / 2)
  }

  /// Whether a strand takes locks in an order that another contradicts, by pairs, gates aside.
  private func contradicts(_ program: [[Step]]) -> Bool {
    var order = LockOrder()
    let place = Place(#fileID, #line)
    let someone = Participant(kind: .thread, name: "", thread: nil, queue: nil)
    for (strand, steps) in program.enumerated() {
      var held: [LockOrder.Taking] = []
      for step in steps {
        switch step {
        case .take(let lock):
          let taking = LockOrder.Taking(lock: UInt(lock), class: 0, place: place)
          let cycles = order.note(taking, by: UInt(strand), as: someone, holding: held).cycles
          if !cycles.isEmpty { return true }
          held.append(taking)
        case .release(let lock): held.removeAll { $0.lock == UInt(lock) }
        }
      }
    }
    return false
  }
}

/// Things to hold, each only below those of lower rank.
private final class Ranked: Sendable {
  let detector: DeadlockDetector
  let locks: [WatchedLock]
  let recursive: WatchedRecursiveLock
  let queues: [WatchedQueue]
  let semaphore: WatchedSemaphore
  let handed: WatchedSemaphore
  let group: WatchedGroup

  init(_ detector: DeadlockDetector) {
    self.detector = detector
    locks = (0..<2).map { WatchedLock(class: "ranked \($0)", detector: detector) }
    recursive = WatchedRecursiveLock(detector: detector)
    queues = (0..<3).map { WatchedQueue("\($0)", detector: detector) }
    semaphore = WatchedSemaphore(value: 1, detector: detector)
    handed = WatchedSemaphore(value: 1, detector: detector)
    group = WatchedGroup(detector: detector)
  }

  func descend(from rank: Int, using random: inout SplitMix64) {
    guard rank < 7 else { return }
    let next = Int.random(in: rank..<7, using: &random) + 1
    var copy = random
    defer { _ = random.next() }
    switch next - 1 {
    case 0: locks[0].withLock { descend(from: next, using: &copy) }
    case 1: recursive.withLock { recursive.withLock { descend(from: next, using: &copy) } }
    case 2: queues[0].sync { descend(from: next, using: &copy) }
    case 3:
      semaphore.wait()
      descend(from: next, using: &copy)
      semaphore.signal()
    case 4: queues[1].sync { descend(from: next, using: &copy) }
    case 5:
      // The unit is given back by a block of a queue that nobody else uses.
      handed.wait()
      queues[2].async(group: group) { [handed] in handed.signal() }
    default: locks[1].withLock {}
    }
  }
}
