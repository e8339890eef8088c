import Interleaving

/// What an operation is in one execution.
final class OperationRecord {
  enum Phase: Comparable {
    case idle, queued, executing
    /// It is done, and `isFinished` of its own has not said so.
    case finishing
    case finished
  }

  var phase = Phase.idle
  var isCancelled = false
  /// Whether a queue's strand has begun it and `start` has not been called.
  var isBegunByQueue = false
  var runsMain = true
  var dependencies: [Operation] = []
  /// The dependencies that have not finished.
  var blockers: [Operation] = []
  var dependents: [Operation] = []
  /// Whether it is asked whether it is ready when its dependencies have finished.
  var isAsked = false
  /// Whether `start` was not overridden, or was called by what overrides it.
  var isStartedByDefault = false
  var queue: OperationQueue?
  /// The strand that will finish it, if it is known.
  var strand: StrandID?
  var title: String?
  /// What strands are told that ask what it says, in place of what it is: for them that is no step.
  var finished: [StrandID: Bool] = [:]
  var ready: [StrandID: Bool] = [:]

  var isReady: Bool { blockers.isEmpty || isCancelled }
}
