import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CalledBack {
  /// Asks again, after a delay, if what went wrong may pass.
  struct RetryingTransport: CallbackTransport {
    let transport: any CallbackTransport
    var policy = RetryPolicy()
    let later: Later
    var report: Report = { _ in }

    func send(_ request: URLRequest, then completion: @escaping Completion<Response>) -> Cancel {
      let attempts = Attempts(self, request, FirstResult(completion))
      attempts.begin(1)
      return attempts.cancel
    }
  }

  // Sendable because `current` is used under `lock` only.
  private final class Attempts: @unchecked Sendable {
    private let retrying: RetryingTransport
    private let request: URLRequest
    private let result: FirstResult<Response>
    private let lock = NSLock()
    /// The attempt or the delay that is under way.
    private var current = Cancellation()

    init(_ retrying: RetryingTransport, _ request: URLRequest, _ result: FirstResult<Response>) {
      self.retrying = retrying
      self.request = request
      self.result = result
    }

    func begin(_ attempt: Int) {
      step { retrying.transport.send(request) { self.end(attempt, $0) } }
    }

    private func end(_ attempt: Int, _ answer: Result<Response, any Error>) {
      guard let delay = retrying.policy.delay(after: answer, to: request, attempt: attempt) else {
        return result.take(answer)
      }
      retrying.report(.asksAgain(after: delay))
      step { retrying.later(delay) { self.begin(attempt + 1) } }
    }

    private func step(_ begin: () -> Cancel) {
      let step = Cancellation()
      lock.withLock { current = step }
      if !result.isThere { step.begun(begin()) }
    }

    @Sendable func cancel() {
      result.take(.failure(CancellationError()))
      lock.withLock { current }.cancel()
    }
  }
}
