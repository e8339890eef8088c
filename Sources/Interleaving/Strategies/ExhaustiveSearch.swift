/// Every schedule, depth first.
package struct ExhaustiveSearch: PathSearch {
  struct Node: SearchNode {
    let strands: [StrandID]
    var index = 0
    var step: Step?

    mutating func advance() -> Bool {
      index += 1
      return index < strands.count
    }
  }

  var path = SearchPath<Node>()

  package init() {}

  package var extent: (share: Double, unchanged: Int)? { path.extent }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard point.strands.count > 1 else { return 0 }
    return try path.choose(point) { _ throws(Divergence) in Node(strands: point.strands) }
  }
}
