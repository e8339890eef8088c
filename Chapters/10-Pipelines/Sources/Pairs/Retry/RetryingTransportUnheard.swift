import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Unheard {
  /// Asks again, after a delay that nobody can cancel.
  struct RetryingTransport: CallbackTransport {
    let transport: any CallbackTransport
    var policy = RetryPolicy()
    let later: Later

    func send(_ request: URLRequest, then completion: @escaping Completion<Response>) -> Cancel {
      send(request, attempt: 1, then: completion)
    }

    private func send(
      _ request: URLRequest, attempt: Int, then completion: @escaping Completion<Response>
    ) -> Cancel {
      transport.send(request) { answer in
        guard let delay = policy.delay(after: answer, to: request, attempt: attempt) else {
          return completion(answer)
        }
        _ = later(delay) { _ = send(request, attempt: attempt + 1, then: completion) }
      }
    }
  }

  /// The same as an async function: it asks again at once when its task is cancelled.
  struct AsyncRetryingTransport: Transport {
    let transport: any Transport
    var policy = RetryPolicy()
    var clock: any Clock<Duration> = ContinuousClock()

    func send(_ request: URLRequest) async throws -> Response {
      for attempt in 1..<policy.attempts {
        if let response = try? await transport.send(request),
          policy.delay(after: .success(response), to: request, attempt: attempt) == nil
        {
          return response
        }
        try? await clock.sleep(for: policy.first * attempt)
      }
      return try await transport.send(request)
    }
  }
}
