/// One schedule, as it was written down; after its end, the first strand goes on.
package struct ReplaySearch: Search {
  private let choices: [Int]
  private var next = 0
  private var hasBegun = false

  package init(_ choices: [Int]) {
    self.choices = choices
  }

  package var isExhaustive: Bool { false }

  package mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    guard point.strands.count > 1, next < choices.count else { return 0 }
    defer { next += 1 }
    guard point.strands.indices.contains(choices[next]) else { throw Divergence() }
    return choices[next]
  }
}
