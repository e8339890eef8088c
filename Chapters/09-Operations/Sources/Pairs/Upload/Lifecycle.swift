/// The states of a concurrent operation, as a value.
///
/// What several threads may want to do is claimed first. The thread that has claimed it announces the change.
struct Lifecycle: Sendable, Equatable {
  enum Phase { case waiting, starting, executing, finishing, finished }

  private(set) var phase = Phase.waiting

  var isExecuting: Bool { phase == .executing || phase == .finishing }
  var isFinished: Bool { phase == .finished }

  /// Claims the start: true for the first call only.
  mutating func claimStart() -> Bool {
    guard phase == .waiting else { return false }
    phase = .starting
    return true
  }

  /// It executes from now on. The start has been claimed.
  mutating func execute() {
    precondition(phase == .starting, "the start was not claimed")
    phase = .executing
  }

  /// Claims the end: true for the first call while it executes.
  mutating func claimEnd() -> Bool {
    guard phase == .executing else { return false }
    phase = .finishing
    return true
  }

  /// It is finished from now on. The end has been claimed, or it was cancelled before it executed.
  mutating func finish() {
    precondition(phase == .starting || phase == .finishing, "the end was not claimed")
    phase = .finished
  }
}
