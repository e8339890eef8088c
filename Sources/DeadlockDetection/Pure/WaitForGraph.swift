/// One thing that has to happen before a wait can end.
struct Demand<Party: Hashable & Sendable>: Sendable {
  /// Who can make it happen, each of them alone; nil if anyone may, empty if no one is left.
  var enders: [Party]?
  /// Why the enders may not be all; nil if they are.
  var doubt: String?

  /// Nothing is known of who makes it happen.
  static var byAnyone: Self { Self(enders: nil) }
}

/// Who waits for what, and the search for those who wait for each other.
///
/// A party waits until every demand of every resource it waits for is met, and one ender is enough to meet a
/// demand: the AND-OR model of Knapp, "Deadlock detection in distributed databases" (1987). With locks alone
/// each demand has one ender, and a deadlock is a cycle.
struct WaitForGraph<Party: Hashable & Sendable, Resource> {
  /// Parties that cannot go on unless one of them does.
  struct Knot {
    /// One of the parties, what it waits for, and who alone could end that.
    struct Link {
      let party: Party
      let resource: Resource
      let enders: [Party]
    }

    /// Once around, beginning with the party whose wait closed it; then those who could end a wait as well.
    let links: [Link]
    /// Why it may be none; empty if it is certain.
    let doubts: [String]
  }

  private var waits: [Party: [Resource]] = [:]

  /// Notes that a party waits until all demands of all these resources are met.
  mutating func draw(_ party: Party, waitsFor resources: [Resource]) { waits[party] = resources }

  /// Notes that a party waits no longer.
  ///
  /// - Returns: What it waited for.
  @discardableResult
  mutating func erase(_ party: Party) -> [Resource]? { waits.removeValue(forKey: party) }

  /// What a party waits for, or nil.
  subscript(party: Party) -> [Resource]? { waits[party] }

  /// The deadlock that a party is a member of, a certain one first.
  ///
  /// Who only waits for members of a deadlock is none.
  ///
  /// - Parameters:
  ///   - party: Whose wait was drawn last.
  ///   - demands: What a resource needs from others at present.
  /// - Returns: The deadlock, or nil.
  /// - Complexity: O(waits that can be reached from the party, squared); without allocation where each has
  ///   one demand with one ender, O(length of the chain).
  func knot(closedBy party: Party, demands: (Resource) -> [Demand<Party>]) -> Knot? {
    if endsFreely(party, demands) { return nil }
    return knot(closedBy: party, isTrusting: false, demands)
      ?? knot(closedBy: party, isTrusting: true, demands)
  }

  /// Whether a chain of single waits leads to someone who does not wait.
  private func endsFreely(_ party: Party, _ demands: (Resource) -> [Demand<Party>]) -> Bool {
    var current = party
    for _ in 0...waits.count {
      guard let resources = waits[current] else { return true }
      guard resources.count == 1 else { return false }
      let demands = demands(resources[0])
      guard demands.count <= 1 else { return false }
      guard let enders = demands.first?.enders else { return true }
      guard enders.count == 1 else { return false }
      current = enders[0]
    }
    return false
  }

  /// - Parameter isTrusting: Whether lists of enders that may not be complete are taken for complete.
  private func knot(
    closedBy party: Party, isTrusting: Bool, _ demands: (Resource) -> [Demand<Party>]
  ) -> Knot? {
    // What can be reached, and on what each of those waits.
    var needs: [Party: [(resource: Resource, demand: Demand<Party>)]] = [:]
    var found = [party]
    while let next = found.popLast() {
      guard needs[next] == nil, let resources = waits[next] else { continue }
      let all = resources.flatMap { resource in
        demands(resource).map {
          (resource, $0.doubt == nil || isTrusting ? $0 : .byAnyone)
        }
      }
      needs[next] = all
      for case let enders? in all.map(\.1.enders) { found += enders }
    }
    // The greatest set of those who cannot go on: who can is taken away until nothing changes.
    func isStuck(_ demand: Demand<Party>) -> Bool {
      demand.enders?.allSatisfy { needs[$0] != nil } ?? false
    }
    while true {
      let free = needs.filter { !$0.value.contains { isStuck($0.demand) } }.map(\.key)
      if free.isEmpty { break }
      for party in free { needs[party] = nil }
    }
    guard let own = needs[party]?.filter({ isStuck($0.demand) }) else { return nil }

    var links: [Knot.Link] = []
    var doubts: [String] = []
    var linked: Set<Party> = []
    func link(_ party: Party, _ need: (resource: Resource, demand: Demand<Party>)) {
      guard linked.insert(party).inserted else { return }
      let enders = need.demand.enders ?? []
      links.append(.init(party: party, resource: need.resource, enders: enders))
      if let doubt = need.demand.doubt, !doubts.contains(doubt) { doubts.append(doubt) }
    }
    if let hopeless = own.first(where: { $0.demand.enders?.isEmpty == true }) {
      link(party, hopeless)
      return Knot(links: links, doubts: doubts)
    }

    // The shortest way around; each step is a need that those who are stuck alone could end.
    var cameBy: [Party: (from: Party, need: (resource: Resource, demand: Demand<Party>))] = [:]
    var queue = [party]
    var next = 0
    while cameBy[party] == nil, next < queue.count {
      let from = queue[next]
      next += 1
      for need in needs[from]! where isStuck(need.demand) {
        for ender in need.demand.enders! where cameBy[ender] == nil {
          cameBy[ender] = (from, need)
          queue.append(ender)
        }
      }
    }
    guard cameBy[party] != nil else { return nil }
    var around: [(Party, (resource: Resource, demand: Demand<Party>))] = []
    var current = party
    repeat {
      let came = cameBy[current]!
      around.append((came.from, came.need))
      current = came.from
    } while current != party
    for (party, need) in around.reversed() { link(party, need) }
    // Where several could end a wait, all of them belong to it.
    var checked = 0
    while checked < links.count {
      for ender in links[checked].enders where !linked.contains(ender) {
        link(ender, needs[ender]!.first { isStuck($0.demand) }!)
      }
      checked += 1
    }
    return Knot(links: links, doubts: doubts)
  }
}
