import Synchronization

/// Tells a watchdog on another thread whether an exploration gets on.
final class Pulse: Sendable {
  private let isInStep = Atomic(false)
  private let beats = Atomic(0)

  /// How many steps were begun; nil while none is under way.
  var beat: Int? {
    isInStep.load(ordering: .relaxed) ? beats.load(ordering: .relaxed) : nil
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
