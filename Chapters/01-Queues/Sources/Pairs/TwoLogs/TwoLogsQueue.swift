import Dispatch

extension Queued {
  struct TwoLogs: Sendable {
    private let queue = DispatchQueue(label: "logs")

    /// The caller waits: its own line comes second.
    func waiting(
      for first: @escaping @Sendable () -> Void, log: @escaping @Sendable (String) -> Void
    ) {
      queue.sync {
        first()
        log("First Log")
      }
      log("Second Log")
    }

    /// The caller goes on: its own line comes whenever it gets there.
    func notWaiting(
      for first: @escaping @Sendable () -> Void, log: @escaping @Sendable (String) -> Void,
      completion: @escaping @Sendable () -> Void
    ) {
      queue.async {
        first()
        log("First Log")
        completion()
      }
      log("Second Log")
    }
  }
}
