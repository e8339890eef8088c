import Foundation
import Synchronization

/// What B did while A was stopped in the middle of its work.
public enum Interruption: String, Sendable {
  /// B began and ended: nothing kept it out.
  case comesIn = "B comes in"
  /// B began and was kept waiting until A went on.
  case waits = "B waits"
}

/// Stops A in the middle of its work, lets B try, and lets A go on when B is done or kept waiting.
///
/// This is one schedule for every implementation of a contract, guarded or not: two threads, of which
/// one is inside its critical section and the other wants to be. The gates are relaxed and order no
/// memory (see ``RelaxedGate``), so ThreadSanitizer still sees a race.
///
/// B is kept waiting when its thread sleeps, which Linux tells; elsewhere, untested, A waits for a
/// twentieth of a second. Whoever keeps B out is always seen to do so. Where B is let in, its thread
/// could still sleep for a moment, for want of memory, say; so tell of what is known to be unguarded.
///
/// - Parameters:
///   - isUnguarded: Whether nothing keeps B waiting; then A goes on only when B is done.
///   - first: A's work. It calls the closure that it is given where it is to be stopped.
///   - second: B's work.
/// - Returns: What B did.
public func interrupt(
  isUnguarded: Bool = false,
  _ first: @escaping @Sendable (_ pause: @escaping @Sendable () -> Void) async -> Void,
  by second: @escaping @Sendable () async -> Void
) async -> Interruption {
  let encounter = Encounter(isUnguarded: isUnguarded)
  await withDiscardingTaskGroup { group in
    group.addTask(executorPreference: ThreadExecutor()) {
      await first { encounter.stop() }
      precondition(encounter.gate.hasReached(Encounter.isInside), "A was never stopped")
    }
    group.addTask(executorPreference: ThreadExecutor()) {
      encounter.waitForStop()
      await second()
      encounter.gate.reach(Encounter.isDone)
    }
  }
  return encounter.interruption
}

/// A and B, from the stop of A to the end of B.
private final class Encounter: Sendable {
  static let isReady = 1
  static let isInside = 2
  static let isDone = 3

  let gate = RelaxedGate()
  private let isUnguarded: Bool
  private let waiter = Waiter()
  private let isKeptWaiting = Atomic(false)

  init(isUnguarded: Bool) {
    self.isUnguarded = isUnguarded
  }

  var interruption: Interruption { isKeptWaiting.load(ordering: .relaxed) ? .waits : .comesIn }

  /// Stops A until B is done or kept waiting; does nothing when it is called again.
  func stop() {
    if gate.hasReached(Self.isInside) { return }
    gate.wait(for: Self.isReady)
    gate.reach(Self.isInside)
    let start = ContinuousClock.now
    while !gate.hasReached(Self.isDone) {
      if !isUnguarded, waiter.sleeps {
        // B may have ended just before, and sleep for want of work.
        isKeptWaiting.store(!gate.hasReached(Self.isDone), ordering: .relaxed)
        return
      }
      precondition(ContinuousClock.now - start < .seconds(60), "B neither ends nor is kept waiting")
      sched_yield()
    }
  }

  func waitForStop() {
    waiter.isCurrentThread()
    gate.reach(Self.isReady)
    gate.wait(for: Self.isInside)
  }
}

/// The thread that may be kept waiting.
private final class Waiter: Sendable {
  private struct State {
    var thread: String?
    var started = ContinuousClock.now
    var samples = 0
  }

  private static let samplesNeeded = 5
  private let state = Mutex(State())

  func isCurrentThread() {
    state.withLock { $0.thread = ThreadSample.currentThread }
  }

  /// Whether the thread was asleep whenever it was asked about lately.
  var sleeps: Bool {
    state.withLock { state in
      guard let thread = state.thread else {
        return ContinuousClock.now - state.started > .milliseconds(50)
      }
      let isAsleep = ThreadSample(thread: thread)?.isAsleep ?? true
      state.samples = isAsleep ? state.samples + 1 : 0
      return state.samples >= Self.samplesNeeded
    }
  }
}
