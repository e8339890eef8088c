import Foundation
import Synchronization

/// What B did while A was stopped in the middle of its work.
public enum Interruption: String, Sendable {
  /// B began and ended: nothing kept it out.
  case comesIn = "B comes in"
  /// B began and was kept waiting until A went on.
  case waits = "B waits"
  /// A has no middle to be stopped in, so both run at once, many times.
  case atOnce = "A and B at once"
  /// A came to its end without being stopped.
  case neverStopped = "A is not stopped"
}

/// Stops A in the middle of its work, lets B try, and lets A go on when B is done or kept waiting.
///
/// This is one schedule for every implementation of a contract, guarded or not: two threads, of which
/// one is inside its critical section and the other wants to be. The gates are relaxed and order no
/// memory (see ``RelaxedGate``), so ThreadSanitizer still sees a race.
///
/// B is kept waiting when its thread sleeps for a while without a break, which Linux tells; elsewhere, untested,
/// when a twentieth of a second has passed. Whoever keeps B out is always seen to do so. Where B is let in, its thread
/// could still sleep for a moment of its own; so say what should be unguarded, and B has a minute.
///
/// - Parameters:
///   - isUnguarded: Whether nothing should keep B waiting.
///   - goesOn: Called when A goes on while B is kept waiting, before it does.
///   - first: A's work. It calls the closure that it is given where it is to be stopped.
///   - second: B's work.
/// - Returns: What B did.
public func interrupt(
  isUnguarded: Bool = false, goesOn: @escaping @Sendable () -> Void = {},
  _ first: @escaping @Sendable (_ pause: @escaping @Sendable () -> Void) async -> Void,
  by second: @escaping @Sendable () async -> Void
) async -> Interruption {
  let bench = ThreadExecutor()
  let meeting = Meeting(isUnguarded: isUnguarded, bench)
  await withDiscardingTaskGroup { group in
    group.addTask(name: "A", executorPreference: ThreadExecutor()) {
      await first { if meeting.stop() { goesOn() } }
      meeting.end()
    }
    group.addTask(name: "B", executorPreference: bench) {
      meeting.waitForStop()
      await second()
      meeting.gate.reach(Meeting.isDone)
    }
  }
  return meeting.interruption
}

/// A and B, from the stop of A to the end of B.
private final class Meeting: Sendable {
  static let isReady = 1
  static let isInside = 2
  static let hasBegun = 3
  static let isDone = 4

  private static let patience = Duration.seconds(60)
  private static let shortPatience = Duration.milliseconds(50)

  let gate = RelaxedGate()
  private let isUnguarded: Bool
  private let waiter: Waiter
  private let isKeptWaiting = Atomic(false)
  private let isNeverStopped = Atomic(false)

  init(isUnguarded: Bool, _ bench: ThreadExecutor) {
    self.isUnguarded = isUnguarded
    waiter = Waiter(on: bench)
  }

  var interruption: Interruption {
    if isNeverStopped.load(ordering: .relaxed) { return .neverStopped }
    return isKeptWaiting.load(ordering: .relaxed) ? .waits : .comesIn
  }

  /// Stops A until B is done or kept waiting; does nothing when it is called again.
  ///
  /// - Returns: Whether B is kept waiting.
  func stop() -> Bool {
    if gate.hasReached(Self.isInside) { return false }
    gate.wait(for: Self.isReady)
    gate.reach(Self.isInside)
    // Until then B sleeps between two looks at the gate.
    gate.wait(for: Self.hasBegun)
    let start = ContinuousClock.now
    while !gate.hasReached(Self.isDone) {
      let patience = isUnguarded || waiter.canBeWatched ? Self.patience : Self.shortPatience
      if ContinuousClock.now - start > patience || (!isUnguarded && waiter.sleeps) {
        // B may have ended just before, and sleep for want of work.
        let isKept = !gate.hasReached(Self.isDone)
        isKeptWaiting.store(isKept, ordering: .relaxed)
        return isKept
      }
      usleep(RelaxedGate.pollInterval)
    }
    return false
  }

  /// A is done; had it not been stopped, B would still wait for that.
  func end() {
    if gate.hasReached(Self.isInside) { return }
    isNeverStopped.store(true, ordering: .relaxed)
    gate.wait(for: Self.isReady)
    gate.reach(Self.isInside)
  }

  func waitForStop() {
    waiter.isCurrentThread()
    gate.reach(Self.isReady)
    gate.wait(for: Self.isInside)
    gate.reach(Self.hasBegun)
  }
}

/// Who may be kept waiting, with its thread.
private final class Waiter: Sendable {
  /// How long a thread has to sleep without a break.
  ///
  /// A suspended task leaves its thread without a job. A thread that sleeps in the middle of one waits for a lock,
  /// which may also be one of the runtime's, whose owner waits for its turn on a busy machine.
  private static let patience = (
    suspended: Duration.milliseconds(25), blocked: Duration.milliseconds(250)
  )

  private struct Sleep {
    let isSuspended: Bool
    let switches: Substring?
    let since = ContinuousClock.now
  }
  private struct State {
    var thread: String?
    var sleep: Sleep?
  }
  private let bench: ThreadExecutor
  private let state = Mutex(State())

  init(on bench: ThreadExecutor) { self.bench = bench }

  func isCurrentThread() {
    state.withLock { $0.thread = ThreadSample.currentThread }
  }

  /// Whether this system tells if a thread sleeps.
  var canBeWatched: Bool { state.withLock { $0.thread != nil } }

  /// Whether the thread has slept for a while.
  var sleeps: Bool {
    state.withLock { state in
      guard let thread = state.thread, let sample = ThreadSample(thread: thread), sample.isAsleep
      else {
        state.sleep = nil
        return false
      }
      let sleep = Sleep(isSuspended: bench.isIdle, switches: ThreadSample.switches(of: thread))
      guard let last = state.sleep, last.switches == sleep.switches,
        last.isSuspended == sleep.isSuspended
      else {
        state.sleep = sleep
        return false
      }
      let patience = last.isSuspended ? Self.patience.suspended : Self.patience.blocked
      return sleep.since - last.since >= patience
    }
  }
}
