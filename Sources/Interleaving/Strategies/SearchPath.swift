/// A scheduling point on a path, and what was chosen there.
protocol SearchNode: Sendable {
  var strands: [StrandID] { get }
  /// Which of them was chosen.
  var index: Int { get }
  /// The step that followed; nil until it was taken.
  var step: Step? { get set }

  /// Goes on to the next strand that is to be tried here; returns false if none is left.
  mutating func advance() -> Bool
}

extension SearchNode {
  var chosen: StrandID { strands[index] }
}

/// A search that goes depth first.
protocol PathSearch: Search {
  associatedtype Node: SearchNode
  var path: SearchPath<Node> { get set }
}

extension PathSearch {
  package var isRedundant: Bool { path.isRedundant }
  package mutating func begin() -> Bool { path.begin() }
  package mutating func observe(_ step: Step) { path.observe(step) }
}

/// The scheduling points from the beginning of an execution, which a search that goes depth first takes
/// again up to the last one that has more to try.
///
/// Where A and B have a step each, there is one point with a choice. The first execution makes its node, with A
/// chosen. `begin` asks the last node to `advance`: B is chosen, the second execution takes the node again, and
/// `begin` then finds that it has nothing more to try, drops it, and no node is left.
struct SearchPath<Node: SearchNode>: Sendable {
  var nodes: [Node] = []
  /// How many steps of the execution under way were chosen.
  private var depth = 0
  /// Steps before this one were analysed in an earlier execution.
  private(set) var fresh = 0
  private var hasBegun = false
  /// Whether the execution under way only runs to its end.
  var isRedundant = false

  /// Prepares the next execution; returns false if none is left.
  mutating func begin() -> Bool {
    depth = 0
    isRedundant = false
    guard hasBegun else {
      hasBegun = true
      return true
    }
    while var node = nodes.popLast() {
      guard node.advance() else { continue }
      node.step = nil
      nodes.append(node)
      fresh = nodes.count - 1
      return true
    }
    return false
  }

  /// Chooses what was chosen before, or else what a new node says.
  ///
  /// - Parameter make: Makes the node behind the last one; nil if nothing needs to be tried from there on.
  /// - Returns: The index of the chosen strand.
  mutating func choose(
    _ point: SchedulingPoint, _ make: (inout [Node]) throws(Divergence) -> Node?
  ) throws(Divergence) -> Int {
    guard !isRedundant else { return 0 }
    defer { depth += 1 }
    if depth == nodes.count {
      guard let node = try make(&nodes) else {
        // A task cannot be unwound, so it runs to its end.
        isRedundant = true
        return 0
      }
      nodes.append(node)
    }
    let index = nodes[depth].index
    guard nodes[depth].strands == point.strands, index < point.strands.count else {
      throw Divergence()
    }
    return index
  }

  mutating func observe(_ step: Step) {
    if !isRedundant { nodes[depth - 1].step = step }
  }

  /// Drops what the execution that has ended did not come to.
  ///
  /// - Returns: Its steps.
  mutating func end() -> [Step] {
    nodes.removeLast(nodes.count - min(depth, nodes.count))
    return nodes.compactMap(\.step)
  }

  /// How much of all schedules comes before the one under way, by the share of each point's alternatives; and how many
  /// choices from the first on are still what they were.
  var extent: (share: Double, unchanged: Int) {
    var (share, weight) = (0.0, 1.0)
    for node in nodes {
      weight /= Double(node.strands.count)
      share += weight * Double(node.index)
    }
    return (share, nodes.firstIndex { $0.index > 0 } ?? nodes.count)
  }

  /// The execution's races have been found.
  mutating func markAnalysed() { fresh = nodes.count }
}
