/// One schedule of every class of schedules that differ only in the order of steps that commute:
/// optimal dynamic partial-order reduction with wakeup trees.
///
/// After Abdulla, Aronis, Jonsson and Sagonas, *Source Sets: A Foundation for Optimal Dynamic Partial
/// Order Reduction*, JACM 64(4), 2017, algorithm 2, with its treatment of steps that keep others from
/// being possible. It takes steps whose accesses are known before they are taken: strands that block.
/// The proof obligations are in the manual, *Reduction*.
package struct OptimalSearch: Search {
  /// A step that is to be taken, and what it will touch.
  private struct Event {
    let strand: Int
    let accesses: [Access]
  }

  /// Sequences of steps that are to be taken, those with a common beginning sharing it, in the order in
  /// which they are.
  private struct WakeupTree {
    struct Branch {
      let event: Event
      var rest: WakeupTree
    }

    var branches: [Branch] = []

    /// Adds a sequence, unless one that is there leads to whatever it does.
    ///
    /// - Parameters:
    ///   - rest: Which steps of it are not in the tree's sequences so far, in order.
    ///   - isRoot: Whether nothing has led here; else an empty tree stands for every sequence.
    mutating func insert(_ sequence: ReversedRace, _ rest: [Int], isRoot: Bool = true) {
      if branches.isEmpty, !isRoot { return }
      for index in branches.indices {
        let event = branches[index].event
        var rest = rest
        if let own = rest.firstIndex(where: { sequence.step($0).strand == event.strand }) {
          guard !rest[..<own].contains(where: { sequence.comes($0, before: rest[own]) }) else {
            continue
          }
          rest.remove(at: own)
        } else {
          guard rest.allSatisfy({ !sequence.step($0).accesses.conflict(with: event.accesses) })
          else { continue }
        }
        if !rest.isEmpty { branches[index].rest.insert(sequence, rest, isRoot: false) }
        return
      }
      var tree = WakeupTree()
      for place in rest.reversed() {
        let step = sequence.step(place)
        let event = Event(strand: step.strand, accesses: step.accesses)
        tree = WakeupTree(branches: [Branch(event: event, rest: tree)])
      }
      branches += tree.branches
    }
  }

  private struct Node {
    let strands: [Int]
    var chosen: Int
    var step: Step?
    /// What must follow the chosen strand's step; handed on to the next node.
    var ahead: WakeupTree
    /// What is to be tried here after the chosen strand.
    var later: WakeupTree
    /// Strands whose next step has been explored from an equivalent state, with what it touches.
    var asleep: [Int: [Access]]
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
      if let step = node.step { node.asleep[node.chosen] = step.accesses }
      if !node.later.branches.isEmpty {
        let branch = node.later.branches.removeFirst()
        node.chosen = branch.event.strand
        node.ahead = branch.rest
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
      guard nodes[depth].strands == point.strands else { throw Divergence() }
      return point.strands.firstIndex(of: nodes[depth].chosen)!
    }
    var node = Node(
      strands: point.strands, chosen: -1, ahead: WakeupTree(), later: WakeupTree(), asleep: [:])
    if let last = nodes.indices.last, let step = nodes[last].step {
      node.asleep = nodes[last].asleep.filter {
        $0.key != step.strand && !$0.value.conflict(with: step.accesses)
      }
      swap(&node.later, &nodes[last].ahead)
    }
    if node.later.branches.isEmpty {
      let awake = point.strands.filter { node.asleep[$0] == nil }
      guard let first = awake.first else {
        // Not met where every access is known beforehand.
        isRedundant = true
        return 0
      }
      node.chosen = awake.first { $0 == point.previous } ?? first
    } else {
      let branch = node.later.branches.removeFirst()
      node.chosen = branch.event.strand
      node.ahead = branch.rest
    }
    guard let index = point.strands.firstIndex(of: node.chosen) else { throw Divergence() }
    nodes.append(node)
    return index
  }

  package mutating func observe(_ step: Step) {
    guard !isRedundant else { return }
    nodes[depth - 1].step = step
  }

  package mutating func finish(_ blocked: [Step]) {
    nodes.removeLast(nodes.count - min(depth, nodes.count))
    let order = HappensBefore(
      nodes.compactMap(\.step), blocked: isRedundant ? [] : blocked, from: fresh)
    for race in order.races {
      let sequence = order.reversal(of: race)
      guard !isCovered(sequence, at: race.earlier) else { continue }
      nodes[race.earlier].later.insert(sequence, Array(sequence.places))
    }
    fresh = nodes.count
  }

  /// Whether a strand that is asleep at a node could go first in a sequence that leads to the same.
  private func isCovered(_ sequence: ReversedRace, at node: Int) -> Bool {
    nodes[node].asleep.contains { strand, accesses in
      if let own = sequence.places.first(where: { sequence.step($0).strand == strand }) {
        return !sequence.places.prefix(own).contains { sequence.comes($0, before: own) }
      }
      return sequence.places.allSatisfy { !sequence.step($0).accesses.conflict(with: accesses) }
    }
  }
}
