extension AcrossAwait {
  /// Reads, waits for the approval, and writes back what it has read.
  static func addVisit(
    to id: UserID, in store: Store, approve: @Sendable (User) async throws -> Void
  ) async throws {
    guard var user = await store.users[id] else { return }
    try await approve(user)
    user.visits += 1
    try await store.update { [user] in $0[id] = user }
  }
}
