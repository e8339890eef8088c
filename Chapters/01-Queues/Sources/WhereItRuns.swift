/// Functions of every isolation that one can write, each of which says where it runs.
///
/// This file is compiled three times: as it is, with `NonisolatedNonsendingByDefault`, and with the
/// main actor as the default isolation. Only ``unmarked()`` changes with the mode.
public struct WhereItRuns: Sendable {
  nonisolated public init() {}

  /// Says nothing, so the language mode decides.
  public func unmarked() async -> String { Place.current.rawValue }

  /// Always leaves the caller's actor.
  @concurrent
  nonisolated public func concurrent() async -> String { Place.current.rawValue }

  /// Always stays on the caller's actor.
  nonisolated(nonsending) public func nonsending() async -> String { Place.current.rawValue }

  /// Always goes to the main actor.
  @MainActor
  public func mainActor() async -> String { Place.current.rawValue }
}
