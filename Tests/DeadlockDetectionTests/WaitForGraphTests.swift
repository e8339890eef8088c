import Testing

@testable import DeadlockDetection

/// The graph against a model that tries every set of parties.
@Suite struct WaitForGraphTests {
  /// Everything that one party can wait for: nothing, one resource or both.
  private static let waits: [[Int]?] = [nil, [0], [1], [0, 1]]

  /// Everything that one demand of three parties can be.
  private static let demands: [Demand<Int>] =
    [.byAnyone]
    + (0..<8).map { set in Demand(enders: (0..<3).filter { set >> $0 & 1 == 1 }, doubt: nil) }

  @Test func `every graph of three parties and two resources of up to two demands and one`() {
    var lists: [[Demand<Int>]] = [[]]
    for (index, first) in Self.demands.enumerated() {
      lists.append([first])
      lists += Self.demands[index...].map { [first, $0] }
    }
    var graphs = 0
    var knots = 0
    for first in lists {
      for second in lists where second.count < 2 { graphs += compare([first, second], &knots) }
    }
    #expect(graphs == 55 * 10 * 20)
    // It is a search if there is much to be found, and much not to be.
    #expect(knots > 3_000 && knots < 3 * graphs - 3_000)
  }

  @Test func `every graph with doubtful demands`() {
    let lists =
      [[]] + Self.demands.map { [$0] }
      + Self.demands.dropFirst().map { [Demand(enders: $0.enders, doubt: "so it seems")] }
    var knots = 0
    for first in lists { for second in lists { _ = compare([first, second], &knots) } }
    #expect(knots > 300)
  }

  @Test func `every ring of locks, and every chain that ends freely`() {
    for length in 1...40 {
      var graph = WaitForGraph<Int, Int>()
      for party in 0..<length {
        graph.draw(party, waitsFor: [party])
        let knot = graph.knot(closedBy: party) { [Demand(enders: [($0 + 1) % length])] }
        #expect((knot == nil) == (party < length - 1))
        // Once around, from the last to the first.
        if let knot {
          #expect(knot.links.map(\.party) == (0..<length).map { (party + $0) % length })
        }
      }
      // Who waits for one of them is none of them.
      graph.draw(length, waitsFor: [length])
      let behind = graph.knot(closedBy: length) { [Demand(enders: [($0 + 1) % length])] }
      #expect(behind == nil)
    }
  }

  /// - Returns: How many graphs were compared.
  private func compare(_ resources: [[Demand<Int>]], _ knots: inout Int) -> Int {
    // Which party has which wait does not matter, since every demand is tried.
    let choices = (0..<64).filter { $0 & 3 <= $0 >> 2 & 3 && $0 >> 2 & 3 <= $0 >> 4 }
    for choice in choices {
      var graph = WaitForGraph<Int, Int>()
      var waits: [[Int]?] = []
      for party in 0..<3 {
        waits.append(Self.waits[choice >> (2 * party) & 3])
        if let resources = waits[party] { graph.draw(party, waitsFor: resources) }
      }
      let certain = Model(waits: waits, resources: resources, isTrusting: false)
      let all = Model(waits: waits, resources: resources, isTrusting: true)
      for party in 0..<3 {
        let knot = graph.knot(closedBy: party) { resources[$0] }
        let model = certain.isMember(party) ? certain : all
        guard model.isMember(party) else {
          if knot != nil { Issue.record("false: \(waits) \(resources) \(party)") }
          continue
        }
        knots += 1
        guard let knot else {
          Issue.record("lost: \(waits) \(resources) \(party)")
          continue
        }
        let members = knot.links.map(\.party)
        let isRight =
          members.first == party && Set(members).count == members.count
          && members.allSatisfy(model.isStuck)
          && knot.links.allSatisfy { Set(members).isSuperset(of: $0.enders) }
          && knot.doubts.isEmpty == certain.isMember(party)
          && (knot.links.contains { $0.enders.count > 1 }
            || members.count == model.shortest(from: party))
        if !isRight { Issue.record("wrong: \(waits) \(resources) \(party): \(knot)") }
      }
    }
    return choices.count
  }
}

/// What a deadlock is, said without an algorithm; sets of parties are bits.
private struct Model {
  /// Of each party, the sets that alone could meet a demand of its wait; of nobody, if it does not wait.
  let enders: [[Int]]
  /// The union of all sets in which each has a demand that only members could meet.
  let stuck: Int

  init(waits: [[Int]?], resources: [[Demand<Int>]], isTrusting: Bool) {
    let enders = waits.map { wait in
      (wait ?? []).flatMap { resources[$0] }.compactMap { demand in
        demand.doubt == nil || isTrusting ? demand.enders?.reduce(0) { $0 | 1 << $1 } : nil
      }
    }
    self.enders = enders
    stuck = (1..<8).reduce(0) { union, set in
      let isClosed = (0..<3).allSatisfy { party in
        set >> party & 1 == 0 || enders[party].contains { $0 & ~set == 0 }
      }
      return isClosed ? union | set : union
    }
  }

  func isStuck(_ party: Int) -> Bool { stuck >> party & 1 == 1 }

  func isMember(_ party: Int) -> Bool { shortest(from: party) != nil }

  /// The length of the shortest way around; 1 if no one is left to meet a demand.
  func shortest(from party: Int) -> Int? {
    guard isStuck(party) else { return nil }
    if enders[party].contains(0) { return 1 }
    var reached = 1 << party
    for length in 1...3 {
      var next = 0
      for party in 0..<3 where reached >> party & 1 == 1 {
        for set in enders[party] where set & ~stuck == 0 { next |= set }
      }
      if next >> party & 1 == 1 { return length }
      reached = next
    }
    return nil
  }
}
