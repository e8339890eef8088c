import Foundation
import Synchronization
import Workbook

@testable import Callbacks

/// A service that answers when a test says so. A request that is cancelled is answered at once.
final class ManualService: PersonService {
  private struct State {
    var pending: [Int: [Completion<Person?>]] = [:]
    var asked = 0
    var cancelled = 0
    var audience: [(asked: Int, go: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// How many requests there have been.
  var asked: Int { state.withLock(\.asked) }
  /// How many of them were cancelled before their answer.
  var cancelled: Int { state.withLock(\.cancelled) }

  func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel {
    let completion = FirstResult(completion)
    let audience = state.withLock { state in
      state.asked += 1
      state.pending[id, default: []].append(completion.take)
      defer { state.audience.removeAll { $0.asked <= state.asked } }
      return state.audience.filter { $0.asked <= state.asked }
    }
    for waiter in audience { waiter.go.resume() }
    return { [self] in
      guard !completion.isThere else { return }
      state.withLock { $0.cancelled += 1 }
      completion.take(.failure(CancellationError()))
    }
  }

  /// Answers the requests for a person.
  func answer(_ id: Int, with result: Result<Person?, any Error>) {
    let completions = state.withLock { $0.pending.removeValue(forKey: id) ?? [] }
    for completion in completions { completion(result) }
  }

  /// Waits for so many requests.
  func waitForRequests(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.asked < count { state.audience.append((count, continuation)) }
        return state.asked >= count
      }
      if isThere { continuation.resume() }
    }
  }
}

/// What a completion handler was called with, on the main queue.
final class Answers: Sendable {
  private struct State {
    var told: [String] = []
    var audience: [(count: Int, go: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  @Sendable func take(_ result: Result<Person?, any Error>) {
    dispatchPrecondition(condition: .onQueue(.main))
    note(words(result))
  }

  @Sendable func note(_ words: String) {
    let audience = state.withLock { state in
      state.told.append(words)
      defer { state.audience.removeAll { $0.count <= state.told.count } }
      return state.audience.filter { $0.count <= state.told.count }
    }
    for waiter in audience { waiter.go.resume() }
  }

  /// Waits for so many calls, and for what else main has to do.
  ///
  /// - Returns: What the handler was called with.
  func told(_ count: Int = 1) async -> [String] {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.told.count < count { state.audience.append((count, continuation)) }
        return state.told.count >= count
      }
      if isThere { continuation.resume() }
    }
    await result { @Sendable done in DispatchQueue.main.async { done(()) } }
    return state.withLock(\.told)
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

/// A folder that is there while a body runs.
func withFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
  let folder = FileManager.default.temporaryDirectory.appending(path: "persons-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
