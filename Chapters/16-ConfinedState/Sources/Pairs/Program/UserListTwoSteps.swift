extension TwoSteps {
  /// Shows who is there, and subscribes then. What is saved in between is in neither.
  @MainActor static func follow(
    _ store: Store, show: ([UserID: User]) -> Void
  ) async -> AsyncStream<Changes> {
    show(await store.users)
    return await store.observe().changes
  }
}
