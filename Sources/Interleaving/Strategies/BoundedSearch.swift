/// Every schedule with at most so many preemptions, depth first.
///
/// A preemption takes the turn from a strand that could have gone on; a switch away from one that has
/// ended or waits is free. After Musuvathi and Qadeer, *Iterative Context Bounding for Systematic
/// Testing of Multithreaded Programs*, PLDI 2007.
package struct BoundedSearch: PathSearch {
  struct Node: SearchNode {
    let strands: [StrandID]
    /// What is left to try, the next one last.
    var indices: [Int]
    var step: Step?

    var index: Int { indices.last! }

    mutating func advance() -> Bool {
      indices.removeLast()
      return !indices.isEmpty
    }
  }

  private let bound: Int
  var path = SearchPath<Node>()
  private var preemptions = 0

  /// - Parameter bound: The most preemptions in one schedule, 0 or more.
  package init(bound: Int) {
    precondition(bound >= 0, "a preemption bound is 0 or more")
    self.bound = bound
  }

  package mutating func begin() -> Bool {
    preemptions = 0
    return path.begin()
  }

  package mutating func retry() {
    preemptions = 0
    path.retry()
  }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard point.strands.count > 1 else { return 0 }
    let index = try path.choose(point) { [bound, preemptions] _ throws(Divergence) in
      let indices = point.strands.indices.filter {
        preemptions < bound || !point.isPreemption($0)
      }
      // The strand that ran goes first, so that the first schedule has the fewest switches.
      let first = indices.first { point.strands[$0] == point.previous } ?? indices[0]
      return Node(
        strands: point.strands, indices: indices.reversed().filter { $0 != first } + [first])
    }
    if point.isPreemption(index) { preemptions += 1 }
    return index
  }
}
