import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension EndingTwice {
  /// Fetches a page. It ends when it is cancelled, and when the answer comes.
  // Sendable because what changes is used under `lock` only.
  final class FetchOperation: Operation, @unchecked Sendable {
    private let request: URLRequest
    private let transport: any CallbackTransport
    private let completion: Completion<Data>
    private let lock = NSLock()
    private var hasEnded = false

    init(
      _ request: URLRequest, by transport: any CallbackTransport,
      then completion: @escaping Completion<Data>
    ) {
      self.request = request
      self.transport = transport
      self.completion = completion
    }

    override var isAsynchronous: Bool { true }
    override var isFinished: Bool { lock.withLock { hasEnded } }

    override func start() {
      _ = transport.send(request) { [self] response in
        end(with: response.flatMap(\.page).explained(.fetch, at: request.url))
      }
    }

    override func cancel() {
      super.cancel()
      end(with: .failure(CancellationError()))
    }

    private func end(with result: Result<Data, any Error>) {
      if isFinished { return }
      completion(result)
      willChangeValue(forKey: "isFinished")
      lock.withLock { hasEnded = true }
      didChangeValue(forKey: "isFinished")
    }
  }
}
