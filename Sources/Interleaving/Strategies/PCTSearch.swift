/// Random priorities with a few random points at which the leader falls behind.
///
/// Finds a bug that takes `depth` ordering constraints with a probability of at least
/// 1 / (strands × steps^(depth − 1)) in each execution. After Burckhardt, Kothari, Musuvathi and
/// Nagarakatte, *A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs*, ASPLOS 2010.
package struct PCTSearch: Search {
  private let depth: Int
  private var generator: SplitMix64
  private var priorities: [StrandID: Int] = [:]
  private var changePoints: [Int: Int] = [:]
  /// How many points the execution has come to.
  private var points = 0
  /// The longest execution so far, as the estimate of the next one's length.
  private var longest = 0

  /// - Parameters:
  ///   - seed: The same seed gives the same schedules.
  ///   - depth: How many ordering constraints the bug takes, 1 or more.
  package init(seed: UInt64, depth: Int) {
    precondition(depth >= 1, "the depth of a bug is 1 or more")
    self.depth = depth
    generator = SplitMix64(seed: seed)
  }

  package var isExhaustive: Bool { false }

  package mutating func begin() -> Bool {
    longest = max(longest, points)
    points = 0
    priorities = [:]
    changePoints = [:]
    for priority in 0..<(depth - 1) where longest > 0 {
      changePoints[Int.random(in: 1...longest, using: &generator)] = priority
    }
    return true
  }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    if point.isChoice { return Int.random(in: point.strands.indices, using: &generator) }
    for strand in point.strands where priorities[strand] == nil {
      // Above every priority that a change point gives.
      priorities[strand] = Int.random(in: depth...Int(Int32.max), using: &generator)
    }
    points += 1
    var leader = leader(of: point)
    if let priority = changePoints[points] {
      priorities[point.strands[leader]] = priority
      leader = self.leader(of: point)
    }
    return leader
  }

  private func leader(of point: SchedulingPoint) -> Int {
    point.strands.indices.max {
      priorities[point.strands[$0]]! < priorities[point.strands[$1]]!
    }!
  }
}
