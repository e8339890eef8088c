import Synchronization

/// A and B, what they share, and what comes of their meeting.
///
/// Played, it is one schedule: A is stopped in the middle of its work, B tries, and A goes on when B is done or kept
/// waiting; or, where there is no middle, both are run at once, a thousand times. Explored, it is all schedules.
public struct Encounter: Sendable {
  /// What carries A and B where they are explored.
  public enum Carrier: Sendable {
    /// A thread each; neither suspends.
    case threads
    /// A task each.
    case tasks
  }

  private let shared: any AnyObject & Sendable
  private let stop: Stop
  private let carrier: Carrier
  private let first: @Sendable () async -> Void
  private let second: @Sendable () async -> Void
  private let outcome: @Sendable () async -> String

  /// An encounter of two that do different things.
  ///
  /// - Parameters:
  ///   - shared: What both use. Where its bytes are used, A is stopped.
  ///   - stop: At which use.
  ///   - carrier: What carries them where they are explored; `nil` stands for tasks if they share an actor, otherwise for
  ///     threads.
  ///   - first: What A does; it waits for whatever it has others do.
  ///   - second: What B does.
  ///   - outcome: Says what came of it, from what A and B returned.
  public init<First: Sendable, Second: Sendable>(
    over shared: some AnyObject & Sendable, stoppedAt stop: Stop, on carrier: Carrier? = nil,
    _ first: @escaping @Sendable () async -> First,
    by second: @escaping @Sendable () async -> Second,
    outcome: @escaping @Sendable (First, Second) async -> String
  ) {
    let (resultOfA, resultOfB) = (Slot<First>(), Slot<Second>())
    self.shared = shared
    self.stop = stop
    self.carrier = carrier ?? (shared is any Actor ? .tasks : .threads)
    self.first = { resultOfA.value = await first() }
    self.second = { resultOfB.value = await second() }
    self.outcome = {
      guard let first = resultOfA.value, let second = resultOfB.value else { return "no result" }
      return await outcome(first, second)
    }
  }

  /// An encounter of two that do the same; the parameters are those of the other.
  ///
  /// - Parameter both: What A does, and B; it is given the name.
  public init<Result: Sendable>(
    over shared: some AnyObject & Sendable, stoppedAt stop: Stop, on carrier: Carrier? = nil,
    both: @escaping @Sendable (_ name: String) async -> Result,
    outcome: @escaping @Sendable (Result, Result) async -> String
  ) {
    self.init(
      over: shared, stoppedAt: stop, on: carrier, { await both("A") }, by: { await both("B") },
      outcome: outcome)
  }

  // MARK: Explored

  func explore() async -> String {
    await explored([("A", first), ("B", second)], on: carrier)
    return await outcome()
  }

  // MARK: Played

  /// How often A and B are run at once.
  private static let rounds = 1_000

  /// Plays it.
  ///
  /// - Parameters:
  ///   - expected: What B is expected to do. Where it should come in, it is given more time to.
  ///   - goesOn: Called when A goes on while B is kept waiting, before it does.
  /// - Returns: The outcome, with what B did.
  func play(
    meanwhile expected: Interruption, goesOn: @escaping @Sendable () -> Void
  ) async -> String {
    let interruption = await interrupt(isUnguarded: expected == .comesIn, goesOn: goesOn) {
      [shared, stop, first] pause in
      await stop.around(shared, pause, while: first)
    } by: { [second] in
      await second()
    }
    return "\(interruption.rawValue), \(await outcome())"
  }

  /// Runs A and B at once, each time on something new; returns the outcomes.
  static func playAtOnce(_ make: @Sendable () -> Encounter) async -> Set<String> {
    let encounters = (0..<Self.rounds).map { _ in make() }
    await inTasks(2, rounds: Self.rounds) { task, round in
      let encounter = encounters[round]
      await (task == 0 ? encounter.first : encounter.second)()
    }
    var outcomes: Set<String> = []
    for encounter in encounters { outcomes.insert(await encounter.outcome()) }
    return outcomes
  }
}

/// What code calls in the middle of its work, in place of what takes time: an audit, a request.
///
/// Played, the first call stops A. Explored, others may go on in the meantime. Otherwise it yields.
public final class Pause: Sendable {
  private let callback = AtomicLazyReference<Callback>()

  /// Creates a pause; give it to the code, and to ``Stop/call(_:)``.
  public init() {}

  /// Has A stopped at the first call.
  func set(_ stop: @escaping @Sendable () -> Void) { _ = callback.storeIfNil(Callback(stop)) }

  public func callAsFunction() async {
    if let callback = callback.load() { callback.call() } else { await Task.yield() }
  }

  /// The same for code that blocks its thread; explored, it does nothing.
  public func block() { callback.load()?.call() }
}

// Sendable because it is written by one, and read when that one is done.
private final class Slot<Value>: @unchecked Sendable {
  var value: Value?
}
