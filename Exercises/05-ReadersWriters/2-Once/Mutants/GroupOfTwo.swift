// Looks right: in a group the value and the cancellation race, and the first one to come is taken. Wrong: a
// group ends when all its children have ended, and one of them waits for the task.

extension Once {
  // region value
  /// The value; it is made if it is not there.
  ///
  /// - Throws: What `make` threw, which is not kept; `CancellationError` if the caller is cancelled.
  func value() async throws -> Value {
    let making = making ?? begin()
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await making.value }
      group.addTask {
        let never = AsyncStream<Never> { _ in }
        for await _ in never {}
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
  // endregion
}
