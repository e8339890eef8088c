import Synchronization

/// Tells a watchdog on another thread whether an exploration gets on.
final class Pulse: Sendable {
  private let isInStep = Atomic(false)
  private let beats = Atomic(0)
  private let threadOfStep = Atomic<Int32>(0)
  /// Twice the beat that was asked about, and one if it is overdue.
  private let asked = Atomic(-1)
  private let isKnownToBlock = Atomic(false)
  private let isBeingAnswered = Atomic(false)

  /// How many steps were begun; nil while none is under way.
  var beat: Int? {
    isInStep.load(ordering: .relaxed) ? beats.load(ordering: .relaxed) : nil
  }

  /// The thread that has the turn.
  var thread: Int32 {
    get { threadOfStep.load(ordering: .relaxed) }
    set { threadOfStep.store(newValue, ordering: .relaxed) }
  }

  /// What a thread is asked about a step that does not come to its end.
  struct Question {
    /// Whether it has taken longer than any may; one that waits is asked about before, if another has waited.
    var isOverdue: Bool
  }

  /// What is asked about the step under way; nil if nothing is, as when the question came late.
  var question: Question? {
    let asked = asked.load(ordering: .relaxed)
    guard let beat, asked >> 1 == beat else { return nil }
    return Question(isOverdue: asked & 1 == 1)
  }

  /// Asks about a step.
  func ask(_ beat: Int, isOverdue: Bool) {
    asked.store(beat << 1 | (isOverdue ? 1 : 0), ordering: .relaxed)
  }

  /// Whether a step has not come to its end before, so that one that waits need not be given as much time again.
  var hurries: Bool {
    get { isKnownToBlock.load(ordering: .relaxed) }
    set { isKnownToBlock.store(newValue, ordering: .relaxed) }
  }

  /// Whether the thread is about to say why its step does not come to its end, which may take a while.
  var isAnswered: Bool {
    get { isBeingAnswered.load(ordering: .relaxed) }
    set { isBeingAnswered.store(newValue, ordering: .relaxed) }
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
