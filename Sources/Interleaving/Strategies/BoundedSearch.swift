/// Every schedule with at most so many preemptions: first all without one, then all with one, and so on, each depth
/// first.
///
/// A preemption takes the turn from a strand that could have gone on; a switch away from one that has
/// ended or waits is free. After Musuvathi and Qadeer, *Iterative Context Bounding for Systematic
/// Testing of Multithreaded Programs*, PLDI 2007. What they keep to begin the next round with is run again here, and
/// is redundant then.
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
  /// How many preemptions the schedules of this round have.
  package private(set) var round = 0
  /// Whether this round has left out a schedule that has one more.
  private var leavesMore = false
  private var preemptions = 0

  /// - Parameter bound: The most preemptions in one schedule, 0 or more.
  package init(bound: Int) {
    precondition(bound >= 0, "a preemption bound is 0 or more")
    self.bound = bound
  }

  package mutating func begin() -> Bool {
    preemptions = 0
    if path.begin() { return true }
    guard round < bound, leavesMore else { return false }
    round += 1
    leavesMore = false
    path = SearchPath()
    return path.begin()
  }

  package var isRedundant: Bool { preemptions < round }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard point.strands.count > 1 else { return 0 }
    var leavesMore = leavesMore
    let index = try path.choose(point) { [round, preemptions] _ throws(Divergence) in
      let indices = point.strands.indices.filter {
        preemptions < round || !point.isPreemption($0)
      }
      if indices.count < point.strands.count { leavesMore = true }
      // The strand that ran goes first, so that the first schedule has the fewest switches.
      let first = indices.first { point.strands[$0] == point.previous } ?? indices[0]
      return Node(
        strands: point.strands, indices: indices.reversed().filter { $0 != first } + [first])
    }
    self.leavesMore = leavesMore
    if point.isPreemption(index) { preemptions += 1 }
    return index
  }
}
