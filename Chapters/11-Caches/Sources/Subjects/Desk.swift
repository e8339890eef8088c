import Dispatch
import Foundation
import Synchronization
import Workbook

/// What stands for a network. Each answer is a picture of its own, so it shows which download it comes from.
final class Desk: Sendable {
  private struct State {
    var isOpen: Bool
    var begun: [URL] = []
    var cancelled = 0
    var most = 0
    var pending: [(number: Int, answer: FirstResult<Picture>)] = []
  }

  private let state: Mutex<State>
  private let hearsCancel: Bool

  /// - Parameters:
  ///   - isOpen: Whether it answers at once; otherwise when it is told to.
  ///   - hearsCancel: Whether a load that is cancelled fails at once.
  init(isOpen: Bool = true, hearsCancel: Bool = true) {
    state = Mutex(State(isOpen: isOpen))
    self.hearsCancel = hearsCancel
  }

  /// What it was asked for, in order.
  var begun: [URL] { state.withLock { $0.begun } }
  var names: String { begun.map(\.lastPathComponent).joined(separator: " ") }
  /// How many loads were cancelled before their answer.
  var cancelled: Int { state.withLock { $0.cancelled } }
  /// How many waited for their answers at once, at most.
  var most: Int { state.withLock { $0.most } }

  @Sendable func load(_ url: URL, then completion: @escaping Completion<Picture>) -> Cancel {
    let answer = FirstResult(completion)
    let number = state.withLock { state -> Int? in
      state.begun.append(url)
      if state.isOpen { return state.begun.count }
      state.pending.append((state.begun.count, answer))
      state.most = max(state.most, state.pending.count)
      return nil
    }
    if let number {
      completion(.success(.numbered(number)))
      return {}
    }
    return { [self] in
      if answer.isThere || !hearsCancel { return }
      state.withLock { state in
        state.cancelled += 1
        state.pending.removeAll { $0.answer === answer }
      }
      answer.take(.failure(CancellationError()))
    }
  }

  @concurrent @Sendable func load(_ url: URL) async throws -> Picture {
    try Task.checkCancellation()
    let number = state.withLock { state -> Int? in
      if state.isOpen { state.begun.append(url) }
      return state.isOpen ? state.begun.count : nil
    }
    if let number { return .numbered(number) }
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        cancellation.begun(load(url) { continuation.resume(with: $0) })
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Answers all, b before a, and from now on at once.
  func open() {
    let pending = state.withLock { state in
      state.isOpen = true
      defer { state.pending = [] }
      return state.pending.sorted {
        state.begun[$0.number - 1].path > state.begun[$1.number - 1].path
      }
    }
    for (number, answer) in pending { answer.take(.success(.numbered(number))) }
  }

  /// Answers one load, the first to begin being number 1.
  func answer(_ number: Int, with result: Result<Picture, any Error>? = nil) {
    let answer = state.withLock { state in
      state.pending.firstIndex { $0.number == number }.map { state.pending.remove(at: $0).answer }
    }
    answer?.take(result ?? .success(.numbered(number)))
  }

  /// Waits until so many loads have begun, and looks again and again.
  func waitUntilBegun(_ count: Int) async {
    while begun.count < count { await Task.yield() }
  }
}

extension Picture {
  /// A picture that is told from others by its number.
  static func numbered(_ number: Int) -> Picture {
    Picture(width: 1, height: 1, pixels: [UInt8(number % 256), UInt8(number / 256), 0])
  }

  var number: Int { Int(pixels[0]) + 256 * Int(pixels[1]) }
}

extension URL {
  static let a = URL(string: "http://example.com/a")!
  static let b = URL(string: "http://example.com/b")!
  static let c = URL(string: "http://example.com/c")!
}

/// A memory without a limit.
// Sendable because `pictures` is used under `lock` only.
final class Shelf: PictureMemory, @unchecked Sendable {
  private let lock = NSLock()
  private var pictures: [URL: Picture] = [:]

  func picture(for url: URL) -> Picture? { lock.withLock { pictures[url] } }
  func keep(_ picture: Picture, for url: URL) { lock.withLock { pictures[url] = picture } }
}

extension PictureLoader {
  /// A loader with room for all.
  static func roomy(width: Int = 4, _ desk: Desk) -> PictureLoader {
    PictureLoader(width: width, memoryLimit: 1_000_000, load: desk.load)
  }

  /// Waits until it has so many flights, and looks again and again.
  func waitForFlights(_ count: Int) async { while flightCount != count { await Task.yield() } }
}

/// Waits until an actor has done what came before. Inlined, it would be nothing, and wait for nothing.
@inline(never) func settle(_: isolated some Actor) {}

/// Counts, and lets one wait for a count, who looks again and again.
final class Tally: Sendable {
  private let count = Mutex(0)

  @Sendable func add() { count.withLock { $0 += 1 } }

  func wait(for wanted: Int) async {
    while count.withLock({ $0 }) < wanted { await Task.yield() }
  }
}

// MARK: What a caller is told

func told(_ result: Result<Picture, any Error>) -> String {
  switch result {
  case .success: "a picture"
  case .failure(is CancellationError): "cancelled"
  case .failure(is TooManyMoves): "too many moves"
  case .failure(let error): "\(error)"
  }
}

func told(_ picture: () async throws -> Picture) async -> String {
  do { return told(.success(try await picture())) } catch { return told(.failure(error)) }
}
