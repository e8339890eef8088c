import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Async {
  /// Cancels a request when its time is over.
  struct TimeLimitedTransport: Transport {
    let transport: any Transport
    let limit: Duration
    var clock: any Clock<Duration> = ContinuousClock()

    func send(_ request: URLRequest) async throws -> Response {
      try await withThrowingTaskGroup(of: Response.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await transport.send(request) }
        group.addTask {
          try await clock.sleep(for: limit)
          throw TransportError.timedOut(after: limit)
        }
        // Two were added, so there is a next one.
        return try await group.next()!
      }
    }
  }
}
