extension Door {
  // region enter
  /// Returns when the visit is over.
  func enter(_ visit: @escaping @Sendable () async -> Void) async {
    let task = last.withLock { last in
      let previous = last
      let task = Task.detached(executorPreference: executor) {
        await previous?.value
        await visit()
      }
      last = task
      return task
    }
    await task.value
  }
  // endregion
}
