/// At least one schedule of every class of schedules that differ only in the order of steps that
/// commute: dynamic partial-order reduction with source sets and sleep sets.
///
/// After Abdulla, Aronis, Jonsson and Sagonas, *Source Sets: A Foundation for Optimal Dynamic Partial
/// Order Reduction*, JACM 64(4), 2017, algorithm 1; sleep sets after Godefroid. The proof obligations
/// and the notion of commuting are in the manual, *Reduction*.
package struct ReducedSearch: Search {
  private struct Node {
    let strands: [Int]
    var chosen: Int
    /// The strands to try here; `asleep` holds those that need no (further) try.
    var backtrack: Set<Int>
    var asleep: [Int: Sleeper]
    let knownObjects: Int
    var step: Step?
  }

  /// A strand whose next step has been explored from an equivalent state.
  private struct Sleeper {
    let accesses: [Access]
    /// Objects with smaller numbers are the same now as when the step was seen.
    let knownObjects: Int

    func commutes(with step: Step) -> Bool {
      for mine in accesses {
        for other in step.accesses where Access.conflict(mine.mode, other.mode) {
          if mine.object == other.object { return false }
          if mine.object >= knownObjects, other.object >= knownObjects { return false }
        }
      }
      return true
    }
  }

  private var nodes: [Node] = []
  private var depth = 0
  /// Steps before this one were analysed in an earlier execution.
  private var fresh = 0
  private var hasBegun = false
  package private(set) var isRedundant = false

  package init() {}

  package var needsAccesses: Bool { true }

  package mutating func begin() -> Bool {
    depth = 0
    isRedundant = false
    guard hasBegun else {
      hasBegun = true
      return true
    }
    while var node = nodes.popLast() {
      if let step = node.step {
        node.asleep[node.chosen] = Sleeper(
          accesses: step.accesses, knownObjects: node.knownObjects)
      }
      if let next = node.strands.first(where: {
        node.backtrack.contains($0) && node.asleep[$0] == nil
      }) {
        node.chosen = next
        node.step = nil
        nodes.append(node)
        fresh = nodes.count - 1
        return true
      }
    }
    return false
  }

  package mutating func retry() {
    depth = 0
    isRedundant = false
  }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard !isRedundant else { return 0 }
    defer { depth += 1 }
    if depth < nodes.count {
      guard nodes[depth].strands == point.strands,
        let index = point.strands.firstIndex(of: nodes[depth].chosen)
      else { throw Divergence() }
      return index
    }
    var asleep: [Int: Sleeper] = [:]
    if let last = nodes.last, let step = last.step {
      asleep = last.asleep.filter { $0.key != step.strand && $0.value.commutes(with: step) }
    }
    let awake = point.strands.filter { asleep[$0] == nil }
    guard let first = awake.first else {
      // Whatever goes on from here has been explored. A task cannot be unwound, so it runs to its end.
      isRedundant = true
      return 0
    }
    let chosen = awake.first { $0 == point.previous } ?? first
    nodes.append(
      Node(
        strands: point.strands, chosen: chosen,
        backtrack: point.triesAll ? Set(point.strands) : [chosen], asleep: asleep,
        knownObjects: point.knownObjects))
    return point.strands.firstIndex(of: chosen)!
  }

  package mutating func observe(_ step: Step) {
    guard !isRedundant else { return }
    nodes[depth - 1].step = step
  }

  package mutating func finish(_ blocked: [Step]) {
    nodes.removeLast(nodes.count - min(depth, nodes.count))
    let order = HappensBefore(nodes.compactMap(\.step)) { [fresh] in $0 >= fresh }
    for race in order.races {
      let initials = order.reversal(of: race, toTheEnd: false).initials
      let node = race.earlier
      if initials.contains(where: {
        nodes[node].backtrack.contains($0) || nodes[node].asleep[$0] != nil
      }) {
        continue
      }
      let later = order.steps[race.later].strand
      let strand = initials.contains(later) ? later : initials[0]
      if nodes[node].strands.contains(strand) {
        nodes[node].backtrack.insert(strand)
      } else {
        nodes[node].backtrack.formUnion(nodes[node].strands)
      }
    }
    for step in order.hiding {
      nodes[step].backtrack.formUnion(nodes[step].strands)
    }
    fresh = nodes.count
  }
}
