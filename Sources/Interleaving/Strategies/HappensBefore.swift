/// The order that one execution's steps have in every execution of its class, and the pairs in it that
/// could have come the other way round.
struct HappensBefore {
  /// Two steps of which the later could have come before the earlier.
  struct Race {
    let earlier: Int
    let later: Int
    /// What comes before the later one for another reason than a conflict.
    let settled: [Int]
  }

  /// The steps of the execution, and behind them what strands wait for in vain at its end.
  let steps: [Step]
  private(set) var races: [Race] = []
  /// Steps that may have kept a later one from being possible, though no race shows it: those that
  /// armed something before another fired or was replaced, and those that replaced another.
  private(set) var hiding: Set<Int> = []

  /// How many steps were taken.
  private let count: Int
  /// `clocks[i][s]` says how many steps of the s-th strand come before or are step i.
  private var clocks: [[Int]] = []
  private var strands: [Int: Int] = [:]
  private var ordinals: [Int] = []
  /// The steps that use an object, in order.
  private var uses: [Int: [(step: Int, mode: Access.Mode)]] = [:]
  /// The steps that do something to an object's state, in order, with what that makes of it.
  private var states: [Int: [(step: Int, action: Action, state: ObjectState)]] = [:]

  /// - Parameters:
  ///   - taken: The steps of the execution.
  ///   - blocked: What strands wait for at its end.
  ///   - first: Races whose later step comes before this one are left out.
  /// - Complexity: O(n · (conflicts + strands)) for n steps.
  init(_ taken: [Step], blocked: [Step] = [], from first: Int) {
    steps = taken + blocked
    count = taken.count
    for step in steps where strands[step.strand] == nil {
      strands[step.strand] = strands.count
    }
    var counts = Array(repeating: 0, count: strands.count)
    var last: [Int: Int] = [:]
    var arming: Set<Int> = []
    for (index, step) in steps.enumerated() {
      var clock = Array(repeating: 0, count: strands.count)
      for predecessor in step.predecessors where predecessor < index {
        join(&clock, with: predecessor)
      }
      if let own = last[step.strand] { join(&clock, with: own) }
      order(index, &clock, findsRaces: index >= first)
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
      let strand = strands[step.strand]!
      counts[strand] += 1
      clock[strand] = counts[strand]
      ordinals.append(counts[strand])
      clocks.append(clock)
      guard index < count else { continue }
      for access in step.accesses {
        uses[access.object, default: []].append((index, access.mode))
      }
      for use in step.operation?.uses(madeIn: step.result) ?? [] {
        var state = states[use.object]?.last?.state ?? use.initial
        state.apply(use.action)
        states[use.object, default: []].append((index, use.action, state))
      }
      last[step.strand] = index
    }
  }

  /// Puts the earlier steps that conflict with a step before it, and finds those that it could have
  /// come before.
  ///
  /// One that it could not come before, such as the unlocking before its locking, hides nothing: what
  /// comes before that is looked at, too.
  private mutating func order(_ index: Int, _ clock: inout [Int], findsRaces: Bool) {
    let step = steps[index]
    // What comes before the step for another reason than a conflict that could be the other way round.
    let own = clock
    var settled = clock
    var conflicts: [Int] = []
    for access in step.accesses {
      for use in uses[access.object, default: []].reversed() {
        guard use.step != index else { continue }
        let isSettled = settled[strands[steps[use.step].strand]!] >= ordinals[use.step]
        guard Access.conflict(use.mode, access.mode) else { continue }
        if !isSettled { conflicts.append(use.step) }
        // Whatever conflicts with this object comes before a write to it.
        if isSettled, use.mode == .write { break }
      }
    }
    for earlier in Set(conflicts).sorted(by: >) {
      join(&clock, with: earlier)
      guard findsRaces, settled[strands[steps[earlier].strand]!] < ordinals[earlier] else {
        continue
      }
      let race = Race(earlier: earlier, later: index, settled: own)
      if step.operation == nil || isReversible(race) {
        races.append(race)
        join(&settled, with: earlier)
      }
    }
  }

  private func join(_ clock: inout [Int], with step: Int) {
    for strand in clock.indices { clock[strand] = max(clock[strand], clocks[step][strand]) }
  }

  func comes(_ earlier: Int, before later: Int) -> Bool {
    clocks[later][strands[steps[earlier].strand]!] >= ordinals[earlier]
  }

  /// Whether the later step would be possible if the earlier one, and what comes after that, had not
  /// been yet.
  private func isReversible(_ race: Race) -> Bool {
    let step = steps[race.later]
    guard let operation = step.operation else { return true }
    let readiness = operation.readiness { use in
      let history = states[use.object] ?? []
      let between = history.reversed().prefix { $0.step > race.earlier }
      var state = history.dropLast(between.count).last { $0.step < race.earlier }?.state
      for past in between.reversed()
      where past.step < race.later && !comes(race.earlier, before: past.step) {
        var changed = state ?? use.initial
        changed.apply(past.action)
        state = changed
      }
      return state ?? use.initial
    }
    return readiness != .later
  }

  /// What leads to the later step of a race coming before the earlier one.
  func reversal(of race: Race) -> ReversedRace {
    let rest = (race.earlier + 1..<min(race.later, count)).filter {
      !comes(race.earlier, before: $0)
    }
    var clock = race.settled
    for index in rest where steps[index].conflicts(with: steps[race.later]) {
      join(&clock, with: index)
    }
    return ReversedRace(
      indices: rest + [race.later], order: self, last: rest.count,
      isBeforeLast: rest.map { clock[strands[steps[$0].strand]!] >= ordinals[$0] })
  }
}

/// The steps between the two of a race that do not come after the earlier one, and then the later: taken
/// in this order, they bring the later one first.
struct ReversedRace {
  fileprivate let indices: [Int]
  fileprivate let order: HappensBefore
  /// The place of the race's later step, whose order is another here than where the race was met.
  fileprivate let last: Int
  fileprivate let isBeforeLast: [Bool]

  /// The places in the sequence.
  var places: Range<Int> { indices.indices }

  func step(_ place: Int) -> Step { order.steps[indices[place]] }

  /// Whether one step comes before another that is later in the sequence, in every execution.
  func comes(_ earlier: Int, before later: Int) -> Bool {
    later == last ? isBeforeLast[earlier] : order.comes(indices[earlier], before: indices[later])
  }

  /// The strands that could go first.
  var initials: [Int] {
    var seen: Set<Int> = []
    return places.filter { place in
      seen.insert(step(place).strand).inserted
        && !places.prefix(place).contains { comes($0, before: place) }
    }.map { step($0).strand }
  }
}

extension Step {
  /// Whether the order of the two matters.
  func conflicts(with other: Step) -> Bool {
    strand == other.strand || accesses.conflict(with: other.accesses)
  }
}

extension [Access] {
  /// Whether the order of two steps with these accesses matters.
  func conflict(with other: [Access]) -> Bool {
    contains { mine in
      other.contains { $0.object == mine.object && Access.conflict($0.mode, mine.mode) }
    }
  }
}
