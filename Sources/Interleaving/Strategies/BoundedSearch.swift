/// Every schedule with at most so many preemptions, depth first.
///
/// A preemption takes the turn from a strand that could have gone on; a switch away from one that has
/// ended or waits is free. After Musuvathi and Qadeer, *Iterative Context Bounding for Systematic
/// Testing of Multithreaded Programs*, PLDI 2007.
package struct BoundedSearch: Search {
  private struct Node {
    let strands: [StrandID]
    /// What is left to try, the next one last.
    var indices: [Int]
  }

  package let bound: Int
  private var nodes: [Node] = []
  private var depth = 0
  private var preemptions = 0
  private var hasBegun = false

  /// - Parameter bound: The most preemptions in one schedule, 0 or more.
  package init(bound: Int) {
    precondition(bound >= 0, "a preemption bound is 0 or more")
    self.bound = bound
  }

  package mutating func begin() -> Bool {
    depth = 0
    preemptions = 0
    guard hasBegun else {
      hasBegun = true
      return true
    }
    while let last = nodes.indices.last {
      nodes[last].indices.removeLast()
      if !nodes[last].indices.isEmpty { return true }
      nodes.removeLast()
    }
    return false
  }

  package mutating func retry() {
    depth = 0
    preemptions = 0
  }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard point.strands.count > 1 else { return 0 }
    defer { depth += 1 }
    if depth == nodes.count {
      let indices = point.strands.indices.filter {
        preemptions < bound || !point.isPreemption($0)
      }
      // The strand that ran goes first, so that the first schedule has the fewest switches.
      let first = indices.first { point.strands[$0] == point.previous } ?? indices[0]
      nodes.append(
        Node(strands: point.strands, indices: indices.reversed().filter { $0 != first } + [first]))
    }
    guard nodes[depth].strands == point.strands else { throw Divergence() }
    let index = nodes[depth].indices.last!
    if point.isPreemption(index) { preemptions += 1 }
    return index
  }
}
