import Interleaving

/// Explores random scenarios of one seed, tasks and strands that block by turns, and prints all that is said.
@main struct Compare {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    guard arguments.count == 2 else { fatalError("usage: Compare COUNT SEED") }
    var generator = Generator(state: arguments[1])
    for number in 0..<arguments[0] {
      if number.isMultiple(of: 2) {
        let scenario = TaskScenario(using: &generator)
        print("## \(number) tasks \(scenario)")
        let strategies: [Strategy] = [
          .exhaustive, .reduced(assuming: .actorIsolation), .preemptionBounded(1),
          .random(seed: number), .pct(seed: number, depth: 2),
        ]
        for strategy in strategies {
          let limit = strategy == .exhaustive ? 1_500 : 150
          print("# \(strategy)")
          print(
            await explore(
              strategy, limit: limit, steps: 300, time: scenario.time, patience: .seconds(1)
            ) {
              await scenario.run()
            })
        }
      } else {
        let scenario = StrandScenario(using: &generator)
        print("## \(number) strands \(scenario)")
        let strategies: [Strategy] = [
          .reduced(assuming: .controlledSharing), .preemptionBounded(1), .random(seed: number),
        ]
        for strategy in strategies {
          print("# \(strategy)")
          print(
            await explore(
              strategy, limit: 200, steps: 300, time: scenario.time, patience: .seconds(1)
            ) {
              scenario.run()
            })
        }
      }
    }
  }
}

/// The generator of Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
