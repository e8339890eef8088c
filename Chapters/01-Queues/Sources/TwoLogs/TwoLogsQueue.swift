import Dispatch

public struct TwoLogsQueue: Sendable {
  private let queue = DispatchQueue(label: "logs")

  public init() {}

  /// The caller waits: its own line comes second.
  public func waiting(
    for first: @escaping @Sendable () -> Void, log: @escaping @Sendable (String) -> Void
  ) {
    queue.sync {
      first()
      log("First Log")
    }
    log("Second Log")
  }

  /// The caller goes on: its own line comes whenever it gets there.
  public func notWaiting(
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
