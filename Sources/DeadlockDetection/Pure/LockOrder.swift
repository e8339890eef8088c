/// In which order locks were taken while others were held, and the search for orders that contradict.
///
/// A cycle of orders is a potential deadlock if each of them was seen in another strand and no lock was held
/// in two of them: that lock, the gate, would let only one of them in at a time. After Havelund, "Using
/// runtime analysis to guide model checking of Java programs" (2000), and Bensalem and Havelund, "Dynamic
/// deadlock analysis of multi-threaded programs" (2005). Locks of different classes are ordered by class, as
/// Linux's lockdep does; locks of one class one by one, so that any consistent order among them is right.
struct LockOrder {
  typealias Lock = UInt
  typealias Class = UInt

  /// A lock that a strand has taken.
  struct Taking: Hashable {
    let lock: Lock
    let `class`: Class
    let place: Place
  }

  /// That a strand took a lock while it held another.
  struct Nesting: Hashable {
    let strand: UInt
    let participant: Participant
    let held: Taking
    let taken: Taking
    /// All that the strand held.
    let gates: Gates
  }

  /// Locks that were held together. Often it is one, which needs no memory of its own.
  struct Gates: Hashable {
    let first: Lock
    let others: Set<Lock>

    private func contains(_ lock: Lock) -> Bool { lock == first || others.contains(lock) }

    func isSubset(of gates: Self) -> Bool {
      gates.contains(first) && others.allSatisfy(gates.contains)
    }

    func isDisjoint(with gates: Self) -> Bool {
      !gates.contains(first) && !others.contains(where: gates.contains)
    }
  }

  /// What is ordered: a class among classes, or a lock among those of its class.
  private enum Node: Hashable {
    case `class`(Class)
    case lock(Lock)
  }

  private struct Edge: Hashable {
    let from: Node
    let to: Node
  }

  /// How many orders are kept at most.
  let edgeLimit: Int
  /// How many sights of one order are kept at most, enough for every cycle of as many orders.
  let sightLimit = 4
  /// How many orders make a cycle at most.
  let lengthLimit = 8
  /// How many nestings one search looks at at most.
  let searchLimit = 20_000

  private var sights: [Edge: [Nesting]] = [:]
  private var followers: [Node: Set<Node>] = [:]
  private var leaders: [Node: Set<Node>] = [:]
  private var ranks = TopologicalOrder<Node>()
  private var reported: Set<Set<Class>> = []

  /// How many orders are kept.
  var count: Int { sights.count }
  /// How often a limit has kept something from being noted or searched.
  private(set) var omissions = 0

  /// - Parameter edgeLimit: How many orders are kept at most.
  init(edgeLimit: Int = 50_000) { self.edgeLimit = edgeLimit }

  /// Notes that a strand has taken a lock while it held others.
  ///
  /// - Returns: The contradictions that this closes, each the first of its classes and beginning with this nesting;
  ///   and whether the same said by another strand would be nothing new.
  /// - Complexity: O(1) for an order that is known or agrees with those known; else a search, limited.
  mutating func note(
    _ taken: Taking, by strand: UInt, as participant: @autoclosure () -> Participant,
    holding held: some Collection<Taking>
  )
    -> (cycles: [[Nesting]], isSaturated: Bool)
  {
    let locks = Set(held.map(\.lock))
    if locks.contains(taken.lock) { return ([], true) }
    var cycles: [[Nesting]] = []
    var isSaturated = true
    for outer in held {
      let edge =
        outer.class == taken.class
        ? Edge(from: .lock(outer.lock), to: .lock(taken.lock))
        : Edge(from: .class(outer.class), to: .class(taken.class))
      let gates = Gates(first: outer.lock, others: locks.subtracting([outer.lock]))
      if isSaturatedFor(gates, edge) { continue }
      isSaturated = false
      let isKnown = sights[edge]?.contains { $0.strand == strand && $0.gates.isSubset(of: gates) }
      if isKnown == true { continue }
      let nesting = Nesting(
        strand: strand, participant: participant(), held: outer, taken: taken, gates: gates)
      if add(nesting, to: edge), let cycle = cycle(through: nesting, edge) {
        cycles.append(cycle)
      }
    }
    return (cycles, isSaturated)
  }

  /// Forgets a lock that is no more.
  mutating func forget(_ lock: Lock) {
    let node = Node.lock(lock)
    for other in followers.removeValue(forKey: node) ?? [] {
      sights[Edge(from: node, to: other)] = nil
      leaders[other]?.remove(node)
    }
    for other in leaders.removeValue(forKey: node) ?? [] {
      sights[Edge(from: other, to: node)] = nil
      followers[other]?.remove(node)
    }
    ranks.forget(node)
  }

  /// Whether so many strands took locks in an order with no more gates that they stand for any other.
  private func isSaturatedFor(_ gates: Gates, _ edge: Edge) -> Bool {
    guard let known = sights[edge], known.count == sightLimit else { return false }
    return known.allSatisfy { $0.gates.isSubset(of: gates) }
  }

  /// - Returns: Whether it was added.
  private mutating func add(_ nesting: Nesting, to edge: Edge) -> Bool {
    guard sights[edge] != nil || sights.count < edgeLimit else {
      omissions += 1
      return false
    }
    var known = sights[edge] ?? []
    if known.isEmpty {
      followers[edge.from, default: []].insert(edge.to)
      leaders[edge.to, default: []].insert(edge.from)
    }
    known.removeAll { $0.strand == nesting.strand && nesting.gates.isSubset(of: $0.gates) }
    if known.count == sightLimit {
      guard
        let worse = known.firstIndex(where: {
          nesting.gates != $0.gates && nesting.gates.isSubset(of: $0.gates)
        })
      else {
        omissions += 1
        return false
      }
      known.remove(at: worse)
    }
    sights[edge] = known + [nesting]
    return true
  }

  /// A cycle of nestings of different strands without a lock in common.
  private mutating func cycle(through nesting: Nesting, _ edge: Edge) -> [Nesting]? {
    // Among the locks of one class, a contradiction is reported once.
    if case .lock = edge.from, reported.contains([nesting.held.class]) { return nil }
    let closes = ranks.closesCycle(
      from: edge.from, to: edge.to, followers: { followers[$0] ?? [] },
      leaders: { leaders[$0] ?? [] })
    guard closes else { return nil }
    var visits = 0
    var path = [nesting]
    var nodes = [edge.from]
    func search(_ node: Node) -> Bool {
      if node == edge.from { return !reported.contains(Set(path.map(\.held.class))) }
      guard path.count < lengthLimit, !nodes.contains(node) else { return false }
      nodes.append(node)
      for next in followers[node] ?? [] {
        for sight in sights[Edge(from: node, to: next)] ?? [] {
          visits += 1
          if visits > searchLimit { return false }
          guard
            path.allSatisfy({ $0.strand != sight.strand && $0.gates.isDisjoint(with: sight.gates) })
          else { continue }
          path.append(sight)
          if search(next) { return true }
          path.removeLast()
        }
      }
      nodes.removeLast()
      return false
    }
    let isFound = search(edge.to)
    if visits > searchLimit { omissions += 1 }
    guard isFound else { return nil }
    reported.insert(Set(path.map(\.held.class)))
    return path
  }
}
