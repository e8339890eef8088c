import Foundation
import Synchronization
import Testing
import Workbook

@testable import Pipelines

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A search as an app has it: within a time, and again where that may help.
struct Client: Sendable {
  /// Where the delays between attempts pass: they are over at once, or when a test says so.
  let delays = QuickClock()
  let pausing = VirtualClock()
  var isQuick = true
  /// Where the time limit of 30 seconds passes.
  let limit = VirtualClock()
  let policy = RetryPolicy { 1 }

  private var clock: any Clock<Duration> { isQuick ? delays : pausing }

  var callbackTransport: any CallbackTransport {
    CalledBack.TimeLimitedTransport(
      transport: CalledBack.RetryingTransport(
        transport: SessionTransport(), policy: policy, later: later(on: clock)),
      limit: .seconds(30), later: later(on: limit))
  }

  var asyncTransport: any Transport {
    Async.TimeLimitedTransport(
      transport: Async.RetryingTransport(
        transport: SessionTransport(), policy: policy, clock: clock),
      limit: .seconds(30), clock: limit)
  }
}

/// A form of the search.
struct Form: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Begins a search.
  ///
  /// - Returns: What cancels it.
  let begin: @Sendable (Client, URLRequest, @escaping Completion<[Repository]>) -> Cancel

  static let all = [
    Form(testDescription: "result of the dependency") { client, request, completion in
      Linked.Search(transport: client.callbackTransport, queue: OperationQueue())
        .load(request, then: completion)
    },
    Form(testDescription: "adapter operation") { client, request, completion in
      Adapted.Search(transport: client.callbackTransport, queue: OperationQueue())
        .load(request, then: completion)
    },
    Form(testDescription: "async functions") { client, request, completion in
      let task = Task {
        do {
          let search = Async.Search(transport: client.asyncTransport)
          completion(.success(try await search.load(request)))
        } catch { completion(.failure(error)) }
      }
      return { task.cancel() }
    },
  ]

  func load(_ client: Client, _ request: URLRequest) async -> Result<[Repository], any Error> {
    await result { _ = begin(client, request.patient, $0) }
  }
}

extension URLRequest {
  /// The same for a server of this process.
  var patient: URLRequest {
    var request = self
    request.timeoutInterval = HTTPServer.patience
    return request
  }
}

/// Calls blocks after delays of a clock.
func later(on clock: any Clock<Duration>) -> Later {
  { delay, block in
    let task = Task {
      try await clock.sleep(for: delay)
      block()
    }
    return { task.cancel() }
  }
}

/// A clock on which each sleep is over at once, and noted.
final class QuickClock: Clock {
  struct Instant: InstantProtocol {
    var sinceStart = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }
    func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceStart < rhs.sinceStart }
  }

  private let noted = Mutex<[Duration]>([])

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }
  /// How long the sleeps were to last.
  var sleeps: [Duration] { noted.withLock { $0 } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    noted.withLock { $0.append(deadline.sinceStart) }
  }
}

/// In short what came of a search: names, or what failed and the cause.
func short(_ result: Result<[Repository], any Error>) -> String {
  switch result {
  case .success(let repositories): return repositories.map(\.fullName).joined(separator: " ")
  case .failure(is CancellationError): return "cancelled"
  case .failure(let error as SearchError): return "\(error.step): \(cause(error.cause))"
  case .failure(let error): return "\(error)"
  }
}

private func cause(_ error: any Error) -> String {
  switch error {
  // Which code it has is up to the system.
  case TransportError.connection(let error): error is URLError ? "connection" : "\(error)"
  case TransportError.tooManyRedirects: "too many redirects"
  case TransportError.tooLarge(let limit): "more than \(limit) bytes"
  case TransportError.timedOut(let limit): "not within \(limit)"
  case DecodingError.dataCorrupted: "no JSON"
  default: "\(error)"
  }
}
