import ChapterTesting
import Foundation
import Synchronization
import Workbook

@testable import Callbacks

/// A service that answers when a test says so. A request that is cancelled is answered at once.
final class ManualService: PersonService {
  private let requests = Deliveries<Int>()
  private let cancellations = Deliveries<Int>()
  private let pending = Mutex<[Int: [Completion<Person?>]]>([:])

  /// How many requests there have been.
  var asked: Int { requests.all.count }
  /// How many of them were cancelled before their answer.
  var cancelled: Int { cancellations.all.count }

  func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel {
    let completion = FirstResult(completion)
    pending.withLock { $0[id, default: []].append(completion.take) }
    requests.append(id)
    return { [self] in
      guard !completion.isThere else { return }
      cancellations.append(id)
      completion.take(.failure(CancellationError()))
    }
  }

  /// Answers the requests for a person.
  func answer(_ id: Int, with result: Result<Person?, any Error>) {
    let completions = pending.withLock { $0.removeValue(forKey: id) ?? [] }
    for completion in completions { completion(result) }
  }

  /// Waits for so many requests.
  func waitForRequests(_ count: Int) async { await requests.wait(count: count) }
}

/// What a completion handler was called with, on the main queue.
final class Answers: Sendable {
  private let all = Deliveries<String>()

  @Sendable func take(_ result: Result<Person?, any Error>) {
    dispatchPrecondition(condition: .onQueue(.main))
    note(words(result))
  }

  @Sendable func note(_ words: String) { all.append(words) }

  /// Waits for so many calls, and for what else main has to do.
  ///
  /// - Returns: What the handler was called with.
  func told(_ count: Int = 1) async -> [String] {
    await all.wait(count: count)
    await result { @Sendable done in DispatchQueue.main.async { done(()) } }
    return all.all
  }
}

/// What a caller is told, with the layer of an error and its cause.
func words(_ result: Result<Person?, any Error>) -> String {
  guard case .failure(let error as PersonError) = result else { return told(result) }
  let cause =
    switch error.cause {
    case is DecodingError: "no JSON"
    case is URLError: "no connection"
    case let other: "\(other)"
    }
  return "\(error.layer) of \(error.id): \(cause)"
}
