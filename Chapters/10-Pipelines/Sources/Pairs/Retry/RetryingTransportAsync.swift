import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Async {
  /// Asks again, after a delay, if what went wrong may pass.
  struct RetryingTransport: Transport {
    let transport: any Transport
    var policy = RetryPolicy()
    var clock: any Clock<Duration> = ContinuousClock()
    var report: Report = { _ in }

    func send(_ request: URLRequest) async throws -> Response {
      var attempt = 1
      while true {
        let answer = await answer(to: request)
        guard let delay = policy.delay(after: answer, to: request, attempt: attempt) else {
          return try answer.get()
        }
        report(.asksAgain(after: delay))
        try await clock.sleep(for: delay)
        attempt += 1
      }
    }

    private func answer(to request: URLRequest) async -> Result<Response, any Error> {
      do { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }
  }
}
