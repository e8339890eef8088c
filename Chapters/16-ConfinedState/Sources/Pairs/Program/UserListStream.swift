extension Isolated {
  /// The list on the screen: what a store has, and which changes it was told of.
  @MainActor final class UserList {
    private(set) var names: [String] = []
    private(set) var changes: [Changes] = []

    /// Follows a store until the task is cancelled. Until then, both are there.
    func follow(_ store: Store) async {
      let (users, changes) = await store.observe()
      show(users)
      for await change in changes {
        self.changes.append(change)
        show(await store.users)
      }
    }

    private func show(_ users: [UserID: User]) {
      names = users.sorted { $0.key < $1.key }.map(\.value.name)
    }
  }
}
