/// The order that one execution's steps have in every execution of its class, and the pairs in it that
/// could have come the other way round.
///
/// Say A and then B each lock and unlock l. B's lock conflicts with both steps of A. It could not have come
/// before A's unlock alone, since l would be held: `makePossible` asks the lock's state with that step away. So
/// that is no race, and what comes before is looked at, too. With A's lock away, and the unlock that comes
/// after it, l is free: A's lock and B's are the race, and the reversal begins with B's lock.
struct HappensBefore {
  /// By strand, how many of its steps are known.
  typealias Clock = [Int32]

  /// Two steps of which the later could have come before the earlier.
  struct Race {
    let earlier: Int
    let later: Int
    /// What comes before the later one for another reason than a conflict.
    fileprivate let needs: Clock
    /// The steps that must be away, with all that comes after them, for the later one to be possible: the
    /// earlier one, and rarely others.
    fileprivate var removed: [Int]
  }

  /// The steps of the execution, and behind them what strands wait for in vain at its end.
  let steps: [Step]
  private(set) var races: [Race] = []

  /// How many steps were taken.
  private let count: Int
  /// `clocks[i][s]` says how many steps of the s-th strand come before or are step i; none of the strands that are met
  /// behind it.
  private var clocks: [Clock] = []
  /// By step, whose it is: strands are counted here from 0 as they are met.
  private var strands: [Int] = []
  private var ordinals: [Int32] = []
  /// The steps that use an object, in order.
  private var uses: [ObjectID: [(step: Int, mode: Access.Mode)]] = [:]
  /// Those of them that more than read.
  private var changes: [ObjectID: [(step: Int, mode: Access.Mode)]] = [:]
  /// The steps that do something to an object's state, in order, with what that makes of it.
  private var states: [ObjectID: [(step: Int, action: Action, state: ObjectState)]] = [:]

  /// - Parameters:
  ///   - taken: The steps of the execution.
  ///   - blocked: What strands wait for at its end.
  ///   - isAsked: Whether the races of a later step are asked for.
  /// - Complexity: O(n · (conflicts + strands)) for n steps; a conflict that is known to come before costs O(1).
  init(_ taken: [Step], blocked: [Step] = [], isAsked: (Int) -> Bool) {
    steps = blocked.isEmpty ? taken : taken + blocked
    count = taken.count
    var numbers: [StrandID: Int] = [:]
    for index in steps.indices {
      let next = numbers.count
      strands.append(numbers[steps[index].strand, default: next])
      numbers[steps[index].strand] = strands.last
    }
    var met = 0
    var last: [Int?] = Array(repeating: nil, count: numbers.count)
    var passages: [Int: Clock] = [:]
    for index in steps.indices { if let passage = steps[index].passage { passages[passage] = [] } }
    for (index, step) in steps.enumerated() {
      if passages[index] != nil {
        var clock: Clock = Array(repeating: 0, count: met)
        for case let other? in last { join(&clock, with: other) }
        passages[index] = clock
      }
      let strand = strands[index]
      met = max(met, strand + 1)
      var clock = last[strand].map { clocks[$0] } ?? []
      for predecessor in step.predecessors where predecessor < index {
        join(&clock, with: predecessor)
      }
      clock += repeatElement(0, count: met - clock.count)
      let passage = step.passage.flatMap { passages[$0] } ?? []
      // An operation that gives up could have been done in time, before time has passed.
      let givesUp = step.operation?.givesUp == true
      if !givesUp { raise(&clock, to: passage) }
      order(index, &clock, findsRaces: index >= count || isAsked(index))
      if step.result == .timedOut { raise(&clock, to: passage) }
      clock[strand] += 1
      ordinals.append(clock[strand])
      clocks.append(clock)
      guard index < count else { continue }
      for access in step.accesses {
        uses[access.object, default: []].append((index, access.mode))
        if access.mode != .read { changes[access.object, default: []].append((index, access.mode)) }
      }
      for use in step.operation?.uses(madeIn: step.result) ?? [] {
        var state = states[use.object]?.last?.state ?? use.initial
        state.apply(use.action)
        states[use.object, default: []].append((index, use.action, state))
      }
      last[strand] = index
    }
  }

  /// Puts the earlier steps that conflict with a step before it, and finds those that it could have
  /// come before.
  ///
  /// One that it could not come before, such as the unlocking before its locking, hides nothing: what
  /// comes before that is looked at, too.
  private mutating func order(_ index: Int, _ clock: inout Clock, findsRaces: Bool) {
    let step = steps[index]
    let needs = clock
    // Besides what the step needs, what it could have come before.
    var settled = clock
    var conflicts: [Int] = []
    for access in step.accesses {
      // Reads do not conflict with each other.
      let others = (access.mode == .read ? changes : uses)[access.object] ?? []
      for use in others.reversed() {
        guard use.step != index, Access.conflict(use.mode, access.mode) else { continue }
        let isNeeded = knows(needs, use.step)
        if !isNeeded { conflicts.append(use.step) }
        // Whatever conflicts with this object comes before a write to it.
        if isNeeded, use.mode == .write { break }
      }
    }
    guard !conflicts.isEmpty else { return }
    for earlier in Set(conflicts).sorted(by: >) {
      join(&clock, with: earlier)
      guard findsRaces, !knows(settled, earlier) else {
        continue
      }
      var race = Race(earlier: earlier, later: index, needs: needs, removed: [earlier])
      guard step.operation == nil || makePossible(&race) else { continue }
      races.append(race)
      if race.removed.count == 1 { join(&settled, with: earlier) }
    }
  }

  private func join(_ clock: inout Clock, with step: Int) {
    // What knows a step knows all that comes before it.
    if knows(clock, step) { return }
    let other = clocks[step]
    guard clock.count >= other.count else {
      let shorter = clock
      clock = other
      raise(&clock, to: shorter)
      return
    }
    raise(&clock, to: other)
  }

  private func raise(_ clock: inout Clock, to shorter: Clock) {
    for strand in shorter.indices where clock[strand] < shorter[strand] {
      clock[strand] = shorter[strand]
    }
  }

  private func knows(_ clock: Clock, _ step: Int) -> Bool {
    let strand = strands[step]
    return strand < clock.count && clock[strand] >= ordinals[step]
  }

  func comes(_ earlier: Int, before later: Int) -> Bool { knows(clocks[later], earlier) }

  /// Takes away steps until the later one of a race is possible without the earlier one.
  ///
  /// An operation with several uses can be kept from being possible by several steps, none of which alone
  /// can come after it.
  ///
  /// - Returns: Whether it is possible then.
  private func makePossible(_ race: inout Race) -> Bool {
    let step = steps[race.later]
    guard let operation = step.operation else { return true }
    while true {
      var missing: [VisibleOperation.Use] = []
      let readiness = operation.readiness { use in
        let state = state(of: use, without: race)
        if !state.permits(use.action) { missing.append(use) }
        return state
      }
      switch readiness {
      case .now: return true
      case .due where !operation.waitsForIdle || step.passage.map({ $0 <= race.earlier }) == true:
        return true
      default: break
      }
      let hindrance = missing.flatMap { use in
        (uses[use.object] ?? []).filter { Access.conflict($0.mode, use.mode) }.map(\.step)
      }.filter { index in
        index > race.earlier && index < race.later && isKept(index, by: race)
          && !knows(race.needs, index)
      }.max()
      guard let hindrance else { return false }
      race.removed.append(hindrance)
    }
  }

  /// The state in which the later step of a race would find an object.
  private func state(of use: VisibleOperation.Use, without race: Race) -> ObjectState {
    let history = states[use.object] ?? []
    let between = history.reversed().prefix { $0.step > race.earlier }
    var state =
      history.dropLast(between.count).last { $0.step < race.earlier }?.state ?? use.initial
    for past in between.reversed() where past.step < race.later && isKept(past.step, by: race) {
      state.apply(past.action)
    }
    return state
  }

  private func isKept(_ step: Int, by race: Race) -> Bool {
    !race.removed.contains { comes($0, before: step) }
  }

  /// What leads to the later step of a race coming before the earlier one.
  ///
  /// - Parameter toTheEnd: Whether to add what follows in the execution and does not come after the earlier
  ///   step either.
  func reversal(of race: Race, toTheEnd: Bool) -> ReversedRace {
    // What nobody sees is done whenever it can be.
    func isKept(_ step: Int) -> Bool { !steps[step].isHidden && self.isKept(step, by: race) }
    let before = (race.earlier + 1..<min(race.later, count)).filter(isKept)
    let after =
      toTheEnd && race.later < count ? (race.later + 1..<count).filter(isKept) : []
    var clock = race.needs
    // What a blocked step would touch besides is not known.
    let touchesMore = race.later >= count && steps[race.later].operation?.goesOn == true
    for index in before where touchesMore || steps[index].conflicts(with: steps[race.later]) {
      join(&clock, with: index)
    }
    let indices = before + [race.later] + after
    return ReversedRace(
      indices: indices, order: self, reversed: before.count,
      isBeforeReversed: before.map { knows(clock, $0) },
      settled: indices.firstIndex { steps[$0].way != nil } ?? indices.count)
  }
}

/// The steps behind the earlier one of a race that do not come after it, with the later one among them: taken
/// in this order, they bring the later one first.
struct ReversedRace {
  fileprivate let indices: [Int]
  fileprivate let order: HappensBefore
  /// The position of the race's later step, whose order is another here than where the race was met.
  let reversed: Int
  fileprivate let isBeforeReversed: [Bool]
  /// How many of the steps there are whatever is chosen in it.
  let settled: Int

  var positions: Range<Int> { indices.indices }

  func step(_ position: Int) -> Step { order.steps[indices[position]] }

  /// Whether one step comes before another that is later in the sequence, in every execution.
  func comes(_ earlier: Int, before later: Int) -> Bool {
    // What follows the reversed step and conflicted with it would come after the race's earlier step.
    if earlier == reversed { return false }
    return later == reversed
      ? isBeforeReversed[earlier] : order.comes(indices[earlier], before: indices[later])
  }
}

extension Step {
  /// Whether the order of the two matters.
  func conflicts(with other: Step) -> Bool {
    strand == other.strand || accesses.conflict(with: other.accesses)
  }
}
