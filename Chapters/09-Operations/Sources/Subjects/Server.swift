import Dispatch
import Synchronization

/// What stands for the server: it keeps every photo, and calls back on a queue of its own.
final class Server: Sendable {
  /// When it answers.
  enum Answering { case atOnce, whenReleased, never }

  private let queue = DispatchQueue(label: "network")
  private let answering: Answering
  private let received = Mutex<[Photo]>([])
  private let requests = Atomic(0)

  init(_ answering: Answering = .atOnce) {
    self.answering = answering
    if case .whenReleased = answering { queue.suspend() }
  }

  private var answers: Bool { if case .never = answering { false } else { true } }

  /// How many photos were sent.
  var count: Int { received.withLock(\.count) }

  /// How many requests were begun.
  var requestCount: Int { requests.load(ordering: .sequentiallyConsistent) }

  /// Answers what has waited for it.
  func release() { if case .whenReleased = answering { queue.resume() } }

  func send(_ photo: Photo, then completion: @escaping @Sendable (Answer) -> Void) -> Request {
    requests.add(1, ordering: .sequentiallyConsistent)
    let exchange = Exchange(completion)
    if answers {
      queue.async { exchange.end { self.answer(to: photo) } }
    }
    return Request { [queue] in
      queue.async { exchange.end { .failure(CancellationError()) } }
    }
  }

  func send(_ photo: Photo) async throws -> Receipt {
    requests.add(1, ordering: .sequentiallyConsistent)
    if !answers {
      let (silence, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in silence {}
      end.finish()
    }
    await Task.yield()
    try Task.checkCancellation()
    return try answer(to: photo).get()
  }

  private func answer(to photo: Photo) -> Answer {
    received.withLock { $0.append(photo) }
    return .success(Receipt(name: photo.name, count: photo.bytes.count))
  }
}

/// A request, which is answered once.
private final class Exchange: Sendable {
  private let completion: Mutex<(@Sendable (Answer) -> Void)?>

  init(_ completion: @escaping @Sendable (Answer) -> Void) {
    self.completion = Mutex(completion)
  }

  func end(_ answer: () -> Answer) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(answer())
  }
}

extension Photo {
  static let harbour = Photo(name: "harbour", bytes: [2, 3, 5])
  static let garden = Photo(name: "garden", bytes: [7, 11])
  static let empty = Photo(name: "empty", bytes: [])
}
