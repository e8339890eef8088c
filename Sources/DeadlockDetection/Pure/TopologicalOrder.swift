/// An order of nodes in which every edge leads forwards, kept up to date as edges are added.
///
/// After Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006): an edge
/// that agrees with the order costs nothing, another the nodes between its ends. Once there is a cycle, there
/// is no such order, and every edge is searched for.
struct TopologicalOrder<Node: Hashable> {
  private var ranks: [Node: Int] = [:]
  private var next = 0
  private(set) var isCyclic = false

  /// Notes an edge.
  ///
  /// - Returns: Whether it is part of a cycle.
  mutating func closesCycle(
    from: Node, to: Node, followers: (Node) -> Set<Node>, leaders: (Node) -> Set<Node>
  ) -> Bool {
    if isCyclic { return reach(from: to, followers).contains(from) }
    let (first, last) = (rank(of: to), rank(of: from))
    guard first <= last else { return false }
    let ahead = reach(from: to) { followers($0).filter { rank(of: $0) <= last } }
    if ahead.contains(from) {
      isCyclic = true
      return true
    }
    let behind = reach(from: from) { leaders($0).filter { rank(of: $0) >= first } }
    // What leads to the edge goes first, into the same positions.
    let moved = [behind, ahead].flatMap { $0.sorted { ranks[$0]! < ranks[$1]! } }
    let positions = moved.map { ranks[$0]! }.sorted()
    for (node, position) in zip(moved, positions) { ranks[node] = position }
    return false
  }

  /// Forgets a node and its edges.
  mutating func forget(_ node: Node) { ranks[node] = nil }

  private mutating func rank(of node: Node) -> Int {
    if let known = ranks[node] { return known }
    next += 1
    ranks[node] = next
    return next
  }

  private func reach(from start: Node, _ neighbours: (Node) -> Set<Node>) -> Set<Node> {
    var reached: Set<Node> = [start]
    var open = [start]
    while let node = open.popLast() {
      for neighbour in neighbours(node) where reached.insert(neighbour).inserted {
        open.append(neighbour)
      }
    }
    return reached
  }
}
