extension Isolated {
  /// Counts a visit when somebody has approved of it.
  static func addVisit(
    to id: UserID, in store: Store, approve: @Sendable () async throws -> Void
  ) async throws {
    try await approve()
    try await store.update { $0[id]?.visits += 1 }
  }

  /// The same, if the approval depends on the user: other transactions wait.
  static func addVisitInTurn(
    to id: UserID, in store: Store, approve: @escaping @Sendable (User) async throws -> Void
  ) async throws {
    try await store.transaction { try await addVisit(to: id, in: &$0, approve) }
  }

  /// The same, and the one that comes second begins again.
  static func addVisitOrRetry(
    to id: UserID, in store: Store, approve: @Sendable (User) async throws -> Void
  ) async throws {
    try await store.retrying { try await addVisit(to: id, in: &$0, approve) }
  }

  private static func addVisit(
    to id: UserID, in draft: inout Draft, _ approve: @Sendable (User) async throws -> Void
  ) async throws {
    guard var user = draft[id] else { return }
    try await approve(user)
    user.visits += 1
    draft[id] = user
  }
}
