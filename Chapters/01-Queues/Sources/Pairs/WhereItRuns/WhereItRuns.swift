/// Four ways to mark a function, each of which says where it runs.
///
/// This file is compiled three times: as it is, with `NonisolatedNonsendingByDefault`, and with the main actor as the
/// default isolation. Only ``unmarked()`` changes with the mode.
struct WhereItRuns: Sendable {
  /// Says nothing, so the language mode decides.
  func unmarked() async -> Place { .current }

  /// Always leaves the caller's actor.
  @concurrent
  nonisolated func concurrent() async -> Place { .current }

  /// Always stays on the caller's actor.
  nonisolated(nonsending) func nonsending() async -> Place { .current }

  /// Always goes to the main actor.
  @MainActor
  func mainActor() async -> Place { .current }
}
