extension Door {
  // region enter
  /// Returns when the visit is over.
  func enter(_ visit: @escaping @Sendable () async -> Void) async {
    // Then nobody is in the way of anybody more urgent.
    let task = last.withLock { last in
      let previous = last
      let task = Task(executorPreference: executor, priority: .high) {
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
