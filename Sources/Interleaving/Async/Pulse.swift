import Synchronization

/// Tells a watchdog on another thread whether an exploration gets on.
final class Pulse: Sendable {
  private let isInStep = Atomic(false)
  private let beats = Atomic(0)
  private let threadOfStep = Atomic<Int32>(0)
  private let isLate = Atomic(false)
  private let isKnownToBlock = Atomic(false)

  /// How many steps were begun; nil while none is under way.
  var beat: Int? {
    isInStep.load(ordering: .relaxed) ? beats.load(ordering: .relaxed) : nil
  }

  /// The thread that has the turn.
  var thread: Int32 {
    get { threadOfStep.load(ordering: .relaxed) }
    set { threadOfStep.store(newValue, ordering: .relaxed) }
  }

  /// Whether the step under way has taken longer than any may.
  var isOverdue: Bool {
    get { isLate.load(ordering: .relaxed) }
    set { isLate.store(newValue, ordering: .relaxed) }
  }

  /// Whether a step has not come to its end before, so that one that waits need not be given as much time again.
  var hurries: Bool {
    get { isKnownToBlock.load(ordering: .relaxed) }
    set { isKnownToBlock.store(newValue, ordering: .relaxed) }
  }

  func beginStep() {
    beats.wrappingAdd(1, ordering: .relaxed)
    isInStep.store(true, ordering: .relaxed)
  }

  func endStep() { isInStep.store(false, ordering: .relaxed) }

  /// Does what may take long without being anybody's step.
  func paused<R>(_ body: () -> R) -> R {
    let wasInStep = isInStep.exchange(false, ordering: .relaxed)
    defer { isInStep.store(wasInStep, ordering: .relaxed) }
    return body()
  }
}
