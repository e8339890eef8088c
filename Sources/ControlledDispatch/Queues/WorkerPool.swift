import Interleaving

/// The threads on which items of concurrent and global queues run, and of queues that target one.
///
/// Dispatch begins more threads when some block, up to a limit; here there are as many as needed unless
/// you say otherwise. With fewer, items that block one another come to a deadlock that you can see.
public enum WorkerPool {
  private final class State {
    var object: ControlledObject?
  }

  private static let state = PerExecution { State() }

  /// Limits the pool for the rest of the schedule; call it where the scenario begins.
  ///
  /// - Parameter width: How many threads there are, 1 or more.
  public static func limit(to width: Int) {
    precondition(width >= 1, "a pool has at least one thread")
    let control = Control.current(for: "WorkerPool")
    state(control).object = ControlledObject(
      "one of \(width) worker\(width == 1 ? "" : "s")", .count(width))
  }

  static func object(_ control: Control) -> ControlledObject? { state(control).object }

  /// The least width of the pool with which every schedule of a scenario ends and none traps.
  ///
  /// - Parameters:
  ///   - limit: The greatest width to try, 1 or more.
  ///   - strategy: Which schedules.
  ///   - scenario: What to explore.
  /// - Returns: The width, and the exploration with it, which is complete; nil if no width is shown to do.
  public static func leastWidth<Outcome: Hashable & Sendable>(
    upTo limit: Int = 64, _ strategy: Strategy = .reduced(assuming: .controlledSharing),
    of scenario: @escaping @Sendable () async throws -> Outcome
  ) async -> (width: Int, exploration: Exploration<Outcome>)? {
    for width in 1...max(1, limit) {
      let exploration = await explore(strategy) {
        WorkerPool.limit(to: width)
        return try await scenario()
      }
      let kinds: Set<Failure.Kind> = [.deadlock, .leak, .trap]
      if exploration.isComplete, kinds.isDisjoint(with: exploration.failures.map(\.kind)) {
        return (width, exploration)
      }
    }
    return nil
  }
}
