/// Each point decided by a throw of dice.
package struct RandomSearch: Search {
  private var generator: SplitMix64

  /// - Parameter seed: The same seed gives the same schedules.
  package init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  package var isExhaustive: Bool { false }

  package mutating func begin() -> Bool { true }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    point.strands.count > 1 ? Int.random(in: point.strands.indices, using: &generator) : 0
  }
}

/// A small generator with a seed; Steele, Lea and Flood, *Fast Splittable Pseudorandom Number
/// Generators*, OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
