extension Awaited {
  struct TwoLogs: Sendable {
    /// The caller waits, and its thread does not.
    func waiting(
      for first: @Sendable () async -> Void, log: @Sendable (String) -> Void
    ) async {
      await first()
      log("First Log")
      log("Second Log")
    }

    /// The caller goes on; the task is its handle on what it started.
    func notWaiting(
      for first: @escaping @Sendable () async -> Void, log: @escaping @Sendable (String) -> Void
    ) -> Task<Void, Never> {
      let task = Task {
        await first()
        log("First Log")
      }
      log("Second Log")
      return task
    }
  }
}
