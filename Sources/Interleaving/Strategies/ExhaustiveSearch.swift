/// Every schedule, depth first.
package struct ExhaustiveSearch: Search {
  private struct Node {
    var index: Int
    let strands: [StrandID]
  }

  private var nodes: [Node] = []
  private var depth = 0
  private var hasBegun = false

  package init() {}

  package mutating func begin() -> Bool {
    depth = 0
    guard hasBegun else {
      hasBegun = true
      return true
    }
    while let last = nodes.indices.last {
      nodes[last].index += 1
      if nodes[last].index < nodes[last].strands.count { return true }
      nodes.removeLast()
    }
    return false
  }

  package mutating func retry() {
    depth = 0
  }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard point.strands.count > 1 else { return 0 }
    defer { depth += 1 }
    if depth == nodes.count {
      nodes.append(Node(index: 0, strands: point.strands))
      return 0
    }
    guard nodes[depth].strands == point.strands else { throw Divergence() }
    return nodes[depth].index
  }
}
