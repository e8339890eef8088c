import Foundation
import Testing

@testable import DeadlockDetection

/// The lock order against all schedules of small programs.
@Suite struct LockOrderTests {
  /// One run, of one strand after the other, tells what some schedule does.
  @Test func `every two strands that take three locks, nested, three times`() {
    let strands = words(locks: 3, takings: 3, isNested: true)
    var deadlocking = 0
    for first in strands {
      for second in strands {
        let program = [first, second]
        if canDeadlock(program) { deadlocking += 1 }
        expectAgreement(program)
      }
    }
    #expect(deadlocking > 100 && deadlocking < strands.count * strands.count - 1_000)
  }

  @Test func `every three strands that take three locks, nested, twice`() {
    let strands = words(locks: 3, takings: 2, isNested: true)
    for first in strands {
      for second in strands { for third in strands { expectAgreement([first, second, third]) } }
    }
  }

  /// `PROGRAMS` sets how many.
  @Test func `random three strands that take four locks, nested, three times`() {
    let strands = words(locks: 4, takings: 3, isNested: true)
    var random = SplitMix64(seed: 2000)
    let programs = ProcessInfo.processInfo.environment["PROGRAMS"].flatMap(Int.init) ?? 1_000
    for _ in 0..<programs {
      expectAgreement((0..<3).map { _ in strands.randomElement(using: &random)! })
    }
  }

  /// Where locks are released in any order, nothing is missed; more may be reported than can happen.
  @Test func `every two strands that take three locks in any order, twice, miss nothing`() {
    let strands = words(locks: 3, takings: 2, isNested: false)
    for first in strands {
      for second in strands where canDeadlock([first, second]) {
        if !isReported([first, second]) { Issue.record("missed: \(first) | \(second)") }
      }
    }
  }

  @Test func `a gate that is another lock each time is none`() {
    var order = LockOrder()
    #expect(note(&order, 1, strand: 1, [9, 0]).isEmpty)
    #expect(note(&order, 0, strand: 2, [8, 1]).count == 1)
  }

  @Test func `what is seen with a gate first and without it later counts`() {
    var order = LockOrder()
    #expect(note(&order, 1, strand: 1, [9, 0]).isEmpty)
    #expect(note(&order, 0, strand: 2, [9, 1]).isEmpty)
    #expect(note(&order, 1, strand: 1, [0]).count == 1)
  }

  @Test func `one strand alone contradicts itself without harm`() {
    var order = LockOrder()
    #expect(note(&order, 1, strand: 1, [0]).isEmpty)
    #expect(note(&order, 0, strand: 1, [1]).isEmpty)
    #expect(note(&order, 0, strand: 2, [1]).count == 1)
  }

  @Test func `locks of two classes are ordered by class, and of one class one by one`() {
    var order = LockOrder()
    func taking(_ lock: UInt, _ orderClass: UInt) -> LockOrder.Taking {
      .init(lock: lock, class: orderClass, place: here)
    }
    // Accounts 1 and 2, audits 11 and 12: no lock is taken twice, and yet the classes contradict.
    #expect(
      order.note(taking(11, 2), by: 1, as: someone, holding: [taking(1, 1)]).cycles.isEmpty)
    #expect(
      order.note(taking(2, 1), by: 2, as: someone, holding: [taking(12, 2)]).cycles.count == 1)
    // Of one class, by address, whichever pairs are taken.
    var addresses = LockOrder()
    for high in 1..<UInt(20) {
      for low in 0..<high {
        let cycles = addresses.note(
          taking(high, 1), by: high % 3, as: someone, holding: [taking(low, 1)]
        ).cycles
        #expect(cycles.isEmpty)
      }
    }
    #expect(
      addresses.note(taking(3, 1), by: 7, as: someone, holding: [taking(4, 1)]).cycles.count == 1)
  }

  @Test func `a contradiction is told once`() {
    var order = LockOrder()
    _ = note(&order, 1, strand: 1, [0])
    #expect(note(&order, 0, strand: 2, [1]).count == 1)
    for strand in 3..<UInt(9) {
      #expect(note(&order, 0, strand: strand, [1]).isEmpty)
      #expect(note(&order, 1, strand: strand, [0]).isEmpty)
    }
  }

  @Test func `a lock that is no more is forgotten`() {
    var order = LockOrder()
    func taking(_ lock: UInt) -> LockOrder.Taking { .init(lock: lock, class: 1, place: here) }
    for lock in 1...1_000 {
      let cycles = order.note(
        taking(UInt(lock)), by: 1, as: someone, holding: [taking(UInt(lock - 1))]
      ).cycles
      #expect(cycles.isEmpty)
      order.forget(UInt(lock - 1))
      #expect(order.count == 0)
    }
  }

  @Test func `limits are kept, and said`() {
    var order = LockOrder(edgeLimit: 10)
    for lock in 1...20 { _ = note(&order, UInt(lock), strand: 1, [0]) }
    #expect(order.count == 10)
    #expect(order.omissions == 10)
  }

  @Test
  func `every insertion of the edges of three nodes, and random ones of eight, tells the cycles`() {
    var random = SplitMix64(seed: 2006)
    let small = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    for permutation in permutations(Array(0..<6)) { insert(permutation.map { small[$0] }) }
    let large = (0..<8).flatMap { a in (0..<8).compactMap { a == $0 ? nil : (a, $0) } }
    for _ in 0..<500 { insert(large.shuffled(using: &random).prefix(20).map(\.self)) }
  }

  private func insert(_ edges: [(Int, Int)]) {
    var order = TopologicalOrder<Int>()
    var followers: [Int: Set<Int>] = [:]
    var leaders: [Int: Set<Int>] = [:]
    for (from, to) in edges {
      followers[from, default: []].insert(to)
      leaders[to, default: []].insert(from)
      var reached: Set<Int> = [to]
      for _ in 0..<8 { reached.formUnion(reached.flatMap { followers[$0] ?? [] }) }
      let closes = order.closesCycle(
        from: from, to: to, followers: { followers[$0] ?? [] }, leaders: { leaders[$0] ?? [] })
      if closes != reached.contains(from) { Issue.record("\(edges): \(from) \(to)") }
    }
  }

  // MARK: Programs

  private func expectAgreement(_ program: [[Step]]) {
    let (can, says) = (canDeadlock(program), isReported(program))
    if can != says { Issue.record("\(can ? "missed" : "false"): \(program)") }
  }

  /// What one run says.
  private func isReported(_ program: [[Step]]) -> Bool {
    var order = LockOrder()
    for (strand, steps) in program.enumerated() {
      var held: [UInt] = []
      for step in steps {
        switch step {
        case .take(let lock):
          if !note(&order, UInt(lock), strand: UInt(strand), held).isEmpty { return true }
          held.append(UInt(lock))
        case .release(let lock): held.removeAll { $0 == lock }
        }
      }
    }
    return false
  }

  /// Each lock is a class of its own.
  private func note(
    _ order: inout LockOrder, _ lock: UInt, strand: UInt, _ held: [UInt]
  ) -> [[LockOrder.Nesting]] {
    func taking(_ lock: UInt) -> LockOrder.Taking { .init(lock: lock, class: lock, place: here) }
    return order.note(taking(lock), by: strand, as: someone, holding: held.map(taking)).cycles
  }
}

private let here = Place(#fileID, #line)
private let someone = Participant(kind: .thread, name: "", thread: nil, queue: nil)
