extension Door {
  // region enter
  /// Returns when the visit is over.
  func enter(_ visit: @escaping @Sendable () async -> Void) async {
    last.withLock { last in
      let previous = last
      last = Task(executorPreference: executor) {
        await previous?.value
        await visit()
      }
    }
  }
  // endregion
}
