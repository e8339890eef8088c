/// The order that one execution's steps have in every execution of its class, and the pairs in it that
/// could have come the other way round.
struct HappensBefore {
  struct Race {
    let earlier: Int
    let later: Int
  }

  let steps: [Step]
  private(set) var races: [Race] = []
  /// Steps that may have kept a later one from being possible, though no race shows it: those that
  /// armed something before another fired or was replaced, and those that replaced another.
  private(set) var hiding: Set<Int> = []

  /// `clocks[i][s]` says how many steps of the s-th strand come before or are step i.
  private var clocks: [[Int]] = []
  private var strands: [Int: Int] = [:]
  private var ordinals: [Int] = []

  /// - Parameter first: Races whose later step comes before this one are left out.
  /// - Complexity: O(n · (conflicts + strands)) for n steps.
  init(_ steps: [Step], from first: Int) {
    self.steps = steps
    for step in steps where strands[step.strand] == nil {
      strands[step.strand] = strands.count
    }
    var counts = Array(repeating: 0, count: strands.count)
    var last: [Int: Int] = [:]
    var uses: [Int: [(step: Int, mode: Access.Mode)]] = [:]
    var arming: Set<Int> = []
    for (index, step) in steps.enumerated() {
      var clock = Array(repeating: 0, count: strands.count)
      for predecessor in step.predecessors where predecessor < index {
        join(&clock, with: predecessor)
      }
      if let own = last[step.strand] { join(&clock, with: own) }
      var conflicts: Set<Int> = []
      for access in step.accesses {
        for use in uses[access.object, default: []]
        where Access.conflict(use.mode, access.mode) && use.step != index {
          conflicts.insert(use.step)
        }
      }
      for earlier in conflicts.sorted(by: >)
      where clock[strands[steps[earlier].strand]!] < ordinals[earlier] {
        if index >= first { races.append(Race(earlier: earlier, later: index)) }
        join(&clock, with: earlier)
      }
      if step.replacesAnother, index >= first {
        hiding.insert(index)
        hiding.formUnion(arming)
      }
      for access in step.accesses where access.mode == .fire && index >= first {
        for use in uses[access.object, default: []]
        where use.mode == .arm && steps[use.step].strand != step.strand {
          hiding.insert(use.step)
        }
      }
      if step.accesses.contains(where: { $0.mode == .arm }) { arming.insert(index) }
      for access in step.accesses {
        uses[access.object, default: []].append((index, access.mode))
      }
      let strand = strands[step.strand]!
      counts[strand] += 1
      clock[strand] = counts[strand]
      ordinals.append(counts[strand])
      clocks.append(clock)
      last[step.strand] = index
    }
  }

  private func join(_ clock: inout [Int], with step: Int) {
    for strand in clock.indices { clock[strand] = max(clock[strand], clocks[step][strand]) }
  }

  private func comes(_ earlier: Int, before later: Int) -> Bool {
    clocks[later][strands[steps[earlier].strand]!] >= ordinals[earlier]
  }

  /// The strands that could go first, were the later step of a race to come before the earlier one.
  func initials(of race: Race) -> [Int] {
    let rest =
      (race.earlier + 1..<race.later).filter { !comes(race.earlier, before: $0) } + [race.later]
    var seen: Set<Int> = []
    var result: [Int] = []
    for (position, step) in rest.enumerated() where seen.insert(steps[step].strand).inserted {
      if !rest[..<position].contains(where: { comes($0, before: step) }) {
        result.append(steps[step].strand)
      }
    }
    return result
  }
}
