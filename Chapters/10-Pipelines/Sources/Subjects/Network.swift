import Foundation
import Synchronization
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What stands for the network: it gives one answer after the other, on a queue of its own, and the last one again.
final class Network: CallbackTransport, Transport {
  struct Lost: Error {}

  private let answers: [Result<Response, any Error>]
  private let queue = DispatchQueue(label: "network")
  private let sent = Atomic(0)

  init(_ answers: Result<Response, any Error>...) { self.answers = answers }

  /// How many requests have been sent.
  var requests: Int { sent.load(ordering: .sequentiallyConsistent) }

  func send(_: URLRequest, then completion: @escaping Completion<Response>) -> Cancel {
    let answer = nextAnswer()
    let cancelled = Flag()
    queue.async { completion(cancelled.isSet ? .failure(CancellationError()) : answer) }
    return cancelled.set
  }

  func send(_: URLRequest) async throws -> Response {
    let answer = nextAnswer()
    await Task.yield()
    try Task.checkCancellation()
    return try answer.get()
  }

  private func nextAnswer() -> Result<Response, any Error> {
    let number = sent.add(1, ordering: .sequentiallyConsistent).newValue
    return answers[min(number, answers.count) - 1]
  }
}

final class Flag: Sendable {
  private let state = Atomic(0)

  var isSet: Bool { state.load(ordering: .sequentiallyConsistent) == 1 }

  @Sendable func set() { state.store(1, ordering: .sequentiallyConsistent) }
}

extension Result<Response, any Error> {
  /// A page of two repositories.
  static let page = Result.success(
    Response(
      status: 200,
      body: Data(
        """
        {"total_count": 2, "items": [
          {"full_name": "a/one", "owner": {"login": "a", "avatar_url": "http://a/a"}, "stargazers_count": 9},
          {"full_name": "b/two", "owner": {"login": "b", "avatar_url": "http://b/b"}, "stargazers_count": 7}
        ]}
        """.utf8)))
  static let error500 = Result.success(Response(status: 500))
  static let lost = Result.failure(TransportError.connection(Network.Lost()))
}

extension URLRequest {
  static let search = URLRequest(url: URL(string: "http://a/search")!)
}

func queue(width: Int) -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  return queue
}

// MARK: What the caller is told

/// What a search that is right tells its caller, by each of the mechanisms, if the network answers so.
func adapted(_ answer: Result<Response, any Error>, width: Int) async -> String {
  await told(
    result {
      _ = Adapted.Search(transport: Network(answer), queue: queue(width: width))
        .load(.search, then: $0)
    })
}

func linked(_ answer: Result<Response, any Error>, width: Int) async -> String {
  await told(
    result {
      _ = Linked.Search(transport: Network(answer), queue: queue(width: width))
        .load(.search, then: $0)
    })
}

func awaited(_ answer: Result<Response, any Error>) async -> String {
  await told { try await Async.Search(transport: Network(answer)).load(.search) }
}

func told(_ repositories: [Repository]) -> String { "\(repositories.count) repositories" }

func told(_ result: Result<[Repository], any Error>) -> String {
  switch result {
  case .success(let repositories): return told(repositories)
  case .failure(is CancellationError): return "cancelled"
  case .failure(let error as SearchError):
    if case TransportError.connection = error.cause { return "\(error.step): no connection" }
    return "\(error.step): another error"
  case .failure: return "another error"
  }
}

func told(_ load: () async throws -> [Repository]) async -> String {
  do { return told(try await load()) } catch { return told(.failure(error)) }
}
