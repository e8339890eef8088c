/// Where an implementation is run: played for real, or explored.
public struct Stage: Sendable {
  private let transcript: Transcript?

  /// - Parameter transcript: What is said while it is played; `nil` where it is explored.
  init(_ transcript: Transcript?) { self.transcript = transcript }

  /// Whether all schedules are run, in virtual time.
  public var isExplored: Bool { transcript == nil }

  /// Says what happens; nobody listens where it is explored.
  public func say(_ step: String) { transcript?.say(step) }

  /// Says that the next call may never return; see ``Hazard``.
  public func aboutToBlock(_ call: String) { transcript?.aboutToBlock(call) }
}
