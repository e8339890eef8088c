public import Interleaving
import Testing

/// How many orders of a scenario a check runs, at most.
///
/// First it is one order of each class of orders that come to the same. An answer may have too many of these: then it
/// is those with few preemptions, and some that are drawn, the same each time. So a verdict depends on counts alone, and
/// not on the clock.
public struct Orders: Sendable {
  let rounds: [(strategy: Strategy, limit: Int)]

  /// - Parameters:
  ///   - classes: How many classes, 1 or more.
  ///   - preempted: How many orders with two preemptions at most, 1 or more, if there are more classes.
  ///   - drawn: How many are drawn then, 1 or more.
  public static func upTo(classes: Int, preempted: Int, drawn: Int) -> Orders {
    Orders(rounds: [
      (.reduced(assuming: .controlledSharing), classes), (.preemptionBounded(2), preempted),
      (.pct(seed: 1, depth: 3), drawn),
    ])
  }

  /// Four hundred classes, or 200 orders with few preemptions and 100 that are drawn.
  public static let usual = upTo(classes: 400, preempted: 200, drawn: 100)

  /// What is run once a claim is broken: the learner mends that one first, and waits less for it.
  static let brief = Orders(rounds: [(.reduced(assuming: .controlledSharing), 40)])
}

/// Checks that a scenario comes to one of some outcomes, in whatever order its steps are taken.
///
/// What is found is told to the supervisor, as a finding of the current test.
///
/// - Parameters:
///   - right: The outcomes that are right, one or more.
///   - orders: How many orders are run.
///   - steps: The most steps in one order, 1 or more; what takes more does not end.
///   - time: How virtual time goes by.
///   - scenario: What is run; its result is the outcome.
public func everyOrder<Outcome: Hashable & Sendable>(
  gives right: Outcome..., within orders: Orders = .usual, steps: Int = 400,
  time: VirtualTime = .passesAtAnyStep, of scenario: @escaping @Sendable () async throws -> Outcome
) async {
  await everyOrder(
    isRight: right.contains, right: right.map { "\($0)" }, orders, steps, time, scenario)
}

/// Checks that a scenario comes to its end, in whatever order its steps are taken; the parameters are those of
/// `everyOrder(gives:)`.
public func everyOrderEnds(
  within orders: Orders = .usual, steps: Int = 400, time: VirtualTime = .passesAtAnyStep,
  of scenario: @escaping @Sendable () async throws -> Void
) async {
  let ends: @Sendable () async throws -> Bool = {
    try await scenario()
    return true
  }
  await everyOrder(isRight: \.self, right: [], orders, steps, time, ends)
}

private func everyOrder<Outcome: Hashable & Sendable>(
  isRight: @escaping @Sendable (Outcome) -> Bool, right: [String], _ orders: Orders, _ steps: Int,
  _ time: VirtualTime, _ scenario: @escaping @Sendable () async throws -> Outcome
) async {
  let claim = Test.current.map { $0.displayName ?? $0.name } ?? "the check"
  // One failure of a claim is enough.
  guard !CheckProgram.isBroken(claim) else { return }
  let isBrief = CheckProgram.hasBroken
  // One trace is shown; and to find a short one of a long run takes long.
  let detail = isBrief || steps > 1_000 ? ReportDetail.outcome : .lines
  var run = 0
  for (strategy, limit) in isBrief ? Orders.brief.rounds : orders.rounds {
    let exploration = await ReportDetail.$wanted.withValue(detail) {
      await explore(
        strategy, limit: limit, stopsAtFailure: true, steps: steps, time: time,
        patience: .seconds(3), allowing: isRight, scenario: scenario)
    }
    run += exploration.schedules
    if let failure = exploration.failures.first {
      return CheckProgram.tell(.finding(of: claim, Advice(failure, right: right, steps: steps)))
    }
    switch exploration.completeness {
    case .scheduleLimit(limit): continue
    case .sampled, .bounded: return CheckProgram.tell(.orders(of: claim, run: run, isAll: false))
    case .complete:
      return CheckProgram.tell(.orders(of: claim, run: exploration.schedules, isAll: true))
    default:
      return CheckProgram.tell(
        .finding(
          of: claim, Advice(words: ["it could not be checked: \(exploration.completeness)"])))
    }
  }
  CheckProgram.tell(.orders(of: claim, run: run, isAll: false))
}
