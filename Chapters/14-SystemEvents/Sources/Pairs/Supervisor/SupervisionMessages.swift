import Foundation

extension Supervision {
  /// The signals to be told of.
  static let signals: Set<SignalNumber> = [.hangUp, .terminate, .user1]

  /// Where a child stands: the index of its command. When it has ended, another one may take its place.
  struct Place: Hashable, Sendable { let index: Int }

  struct GracePeriod: Hashable, Sendable { let number: Int }

  /// What happened.
  enum Event: Sendable {
    /// The first one.
    case begin
    case signal(SignalNumber)
    case began(Place, pid_t)
    case failed(Place, ProcessError)
    /// It is reaped.
    case ended(Place, Result<TerminationStatus, ProcessError>)
    case gracePeriodOver(GracePeriod)
  }

  /// What is to be done.
  enum Order: Equatable, Sendable {
    /// To be answered with `began` or `failed`. Signals may come before.
    case spawn(Place, Command)
    case send(SignalNumber, to: Place)
    /// To be answered with `gracePeriodOver`, later.
    case beginGracePeriod(GracePeriod)
    case report(String)
    /// The last one; no child is left.
    case end(SupervisorError?)
  }
}
