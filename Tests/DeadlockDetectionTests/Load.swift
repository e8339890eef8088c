import Foundation
import Synchronization

@testable import DeadlockDetection

/// Threads that take few of many locks in any order, and beside them rings of threads that deadlock each time.
///
/// Each thread says what it wants and what it has; what the detector says is compared with that, as it is said.
final class Load: Sendable {
  /// What has been found.
  struct Told {
    /// Deadlocks that are so, those of the rings among them.
    var deadlocks = 0
    /// Those whose members are a ring, all of it and nobody else.
    var planted = 0
    var inversions = 0
    /// The first few that are not so.
    var wrong: [Finding] = []
  }

  /// What a thread wants, and who has a lock, by their numbers; -1 for none.
  private final class Cell: Sendable {
    let number = Atomic(-1)
  }

  private let threads: Range<Int>
  private let rings: [Range<Int>]
  /// How many locks the load has; those of the rings come behind.
  private let count: Int
  private let locks: [WatchedLock]
  private let wanted: [Cell]
  private let holders: [Cell]
  /// So many rounds of the load for each ring that is closed, or the rings would keep all others waiting.
  private let pace = 32
  private let taking = DispatchSemaphore(value: 0)
  private let tolds = Guarded(Told())
  private let counts = Guarded((taken: 0, refused: 0, planted: 0))
  let detector = DeadlockDetector(patience: .zero)

  /// - Parameters:
  ///   - threads: How many threads take locks in any order.
  ///   - locks: How many locks they have; a multiple of 8.
  ///   - sizes: How many threads, each with a lock of its own, are in each ring; 2 or more.
  init(threads: Int, locks: Int, rings sizes: [Int]) {
    self.threads = 0..<threads
    var all = threads
    rings = sizes.map { size in
      defer { all += size }
      return all..<(all + size)
    }
    count = locks
    self.locks = (0..<(locks + all - threads)).map { [detector] number in
      WatchedLock("\(number)", class: number < locks ? "load" : "ring", detector: detector)
    }
    wanted = (0..<all).map { _ in Cell() }
    holders = self.locks.map { _ in Cell() }
    detector.handle { [unowned self] finding in
      note(finding)
      return .goOn
    }
  }

  var told: Told { tolds { $0 } }
  var taken: Int { counts { $0.taken } }
  var refused: Int { counts { $0.refused } }
  /// How often a ring has been closed.
  var planted: Int { counts { $0.planted } }

  /// Runs all of them.
  ///
  /// - Parameters:
  ///   - rounds: How often each thread of the load takes locks, at least.
  ///   - time: How long it goes on, at least.
  ///   - patience: How long nobody has to have taken anything, if it is to count as hanging.
  ///   - sample: Called ten times a second meanwhile.
  /// - Returns: Whether all have ended.
  func run(
    rounds: Int, atLeast time: Duration, patience: Duration, sampling sample: () -> Void
  ) -> Bool {
    let end = ContinuousClock.now + time
    let running = DispatchGroup()
    let isOver = Guarded(false)
    running.enter()
    _ = Worker("load") { [self] in
      let crew = Crew(threads)
      crew.run { self.takeSome($0, rounds: rounds, until: end) }
      crew.end()
      isOver { $0 = true }
      for _ in 0..<rings.count * pace { taking.signal() }
      running.leave()
    }
    for ring in rings {
      running.enter()
      _ = Worker("rings") { [self] in
        let crew = Crew(ring)
        var random = SplitMix64(seed: UInt64(ring.count))
        repeat {
          close(ring, crew, using: &random)
          for _ in 0..<pace { taking.wait() }
        } while !isOver { $0 }
        crew.end()
        running.leave()
      }
    }
    var progress = (count: 0, at: ContinuousClock.now)
    while running.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
      sample()
      let count = taken
      if count != progress.count { progress = (count, .now) }
      if ContinuousClock.now > progress.at + patience { return false }
    }
    return true
  }

  /// Few locks at a time, and often of the same few, so that cycles are frequent.
  private func takeSome(_ thread: Int, rounds: Int, until end: ContinuousClock.Instant) {
    var random = SplitMix64(seed: UInt64(thread))
    var round = 0
    while round < rounds || ContinuousClock.now < end {
      round += 1
      let isFrequent = Int.random(in: 0..<3, using: &random) == 0
      let first = isFrequent ? 0 : Int.random(in: 0..<count / 8, using: &random)
      var mine: [Int] = []
      for lock in (first * 8..<first * 8 + 8).shuffled(using: &random).prefix(3) {
        guard take(lock, by: thread) else { break }
        mine.append(lock)
        if Bool.random(using: &random) { sched_yield() }
      }
      counts { [count = mine.count] in $0.taken += count }
      for lock in mine.reversed() { giveBack(lock) }
      taking.signal()
    }
  }

  /// Each takes its own lock, and then wants the next one's; some of the load wait behind them.
  private func close(_ ring: Range<Int>, _ crew: Crew, using random: inout SplitMix64) {
    let gates = ring.map { _ in Gate() }
    let others = (0..<count).shuffled(using: &random)
    crew.run { [self] thread in
      let number = thread - ring.lowerBound
      let other = locks[others[number]].try() ? others[number] : nil
      if let other { holders[other].number.store(thread, ordering: .relaxed) }
      let isMine = take(lock(of: thread), by: thread)
      gates[number].open()
      for gate in gates { gate.pass() }
      let next = lock(of: ring.lowerBound + (number + 1) % ring.count)
      if take(next, by: thread) { giveBack(next) }
      if isMine { giveBack(lock(of: thread)) }
      if let other { giveBack(other) }
    }
    counts { $0.planted += 1 }
  }

  /// The own lock of a thread of a ring.
  private func lock(of thread: Int) -> Int { thread - threads.count + count }

  private func take(_ lock: Int, by thread: Int) -> Bool {
    wanted[thread].number.store(lock, ordering: .relaxed)
    guard deadlock({ try locks[lock].lockOrThrow() }) == nil else {
      counts { $0.refused += 1 }
      return false
    }
    holders[lock].number.store(thread, ordering: .relaxed)
    return true
  }

  private func giveBack(_ lock: Int) {
    holders[lock].number.store(-1, ordering: .relaxed)
    locks[lock].unlock()
  }

  private func note(_ finding: Finding) {
    let isRight = isTrue(finding)
    let members = Set(finding.names.map(number))
    tolds { told in
      switch finding.kind {
      case .lockOrderInversion: told.inversions += 1
      case .deadlock where isRight:
        told.deadlocks += 1
        if rings.contains(where: { Set($0) == members }) { told.planted += 1 }
      default: if told.wrong.count < 3 { told.wrong.append(finding) }
      }
    }
  }

  /// Whether each member wants what the next one has; none of them can go on before the handler returns.
  private func isTrue(_ finding: Finding) -> Bool {
    let members = finding.names.map(number)
    let waits = finding.members.map { number($0.resource) }
    let holds = finding.members.map { $0.holds.map { number($0.resource) } }
    return finding.isConfirmed && Set(members).count == members.count
      && members.indices.allSatisfy { index in
        let next = (index + 1) % members.count
        return wanted[members[index]].number.load(ordering: .relaxed) == waits[index]
          && holders[waits[index]].number.load(ordering: .relaxed) == members[next]
          && holds[next] == waits[index]
      }
  }

  /// The number in a name.
  private func number(_ name: String) -> Int { Int(name.filter(\.isNumber))! }
}

/// How much memory the process has had, in kB.
final class Resident: Sendable, CustomStringConvertible {
  private let samples = Guarded<[Int]>([])

  func sample() {
    #if canImport(Glibc)
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
      else { return }
      samples { $0.append(pages * Int(getpagesize()) / 1024) }
    #endif
  }

  private var early: Int { samples { $0[$0.count / 5] } }
  private var late: Int { samples { $0.max()! } }

  /// Whether there never was much more than after a fifth of the time, as `.ci/memory` has it.
  var isFlat: Bool { samples { $0.isEmpty } || late <= early + early / 10 + 1024 }

  var description: String {
    samples { $0.isEmpty }
      ? "memory not measured" : "resident after a fifth: \(early) kB; at most: \(late) kB"
  }
}
