extension Door {
  // region enter
  /// Returns when the visit is over.
  func enter(_ visit: @escaping @Sendable () async -> Void) async {
    // The task holds the place, and the visit comes when it is its turn.
    let previous = last.withLock(\.self)
    await previous?.value
    let task = Task(executorPreference: executor) { await visit() }
    last.withLock { $0 = task }
    await task.value
  }
  // endregion
}
