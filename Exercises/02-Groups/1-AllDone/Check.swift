import ControlledDispatch
import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Photos: Sendable {
  init(client: any PhotoClient)
  func download(
    _ names: [String], queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Photo, PhotoError>]) -> Void)
}

extension Album: Photos {}

/// A server that has all photos but those that are called “lost”.
private final class Server: PhotoClient {
  typealias Block = @Sendable () -> Void

  private let answered = Mutex(0)
  private let answer: @Sendable (_ name: String, _ work: @escaping Block) -> Void

  /// - Parameter answer: Calls what it is given, now or later; unless told, later, on a thread of its own.
  init(
    answer: @escaping @Sendable (_ name: String, _ work: @escaping Block) -> Void = { _, work in
      DispatchQueue.global().async { work() }
    }
  ) {
    self.answer = answer
  }

  func fetch(
    _ name: String, completion: @escaping @Sendable (Result<Photo, PhotoError>) -> Void
  ) {
    answer(name) {
      let number = self.answered.withLock { answered in
        answered += 1
        return answered
      }
      completion(
        name == "lost"
          ? .failure(PhotoError(name: name)) : .success(Photo(name: name, number: number)))
    }
  }
}

/// One announcement: a second one is a `leave()` too many, and none is a wait that does not end.
private final class Announcement: Sendable {
  private let isMade = DispatchGroup()
  private let results = Mutex<[Result<Photo, PhotoError>]>([])

  init() { isMade.enter() }

  func make(_ results: [Result<Photo, PhotoError>], on queue: DispatchQueue) {
    dispatchPrecondition(condition: .onQueue(queue))
    self.results.withLock { $0 = results }
    isMade.leave()
  }

  /// Waits for it.
  func photos() -> [Result<Photo, PhotoError>] {
    isMade.wait()
    return results.withLock(\.self)
  }
}

extension Photos {
  /// Begins a download.
  func download(_ names: [String], _ announcement: Announcement, on queue: DispatchQueue) {
    download(names, queue: queue) { announcement.make($0, on: queue) }
  }
}

/// What is announced when an album downloads photos.
@Sendable private func announced(_ names: [String], by server: Server = Server()) -> [String] {
  let album: any Photos = Album(client: server)
  let announcement = Announcement()
  album.download(names, announcement, on: DispatchQueue(label: "screen"))
  return withExtendedLifetime(album) { words(announcement.photos()) }
}

private func words(_ results: [Result<Photo, PhotoError>]) -> [String] {
  results.map { result in
    switch result {
    case .success(let photo): photo.name
    case .failure(let error): "no \(error.name)"
    }
  }
}

/// Checks the outcome in every order. An answer that hops between tasks has too many: then it is those with two
/// preemptions at most, 2,000 of them, and 300 that are drawn, the same each time. For three downloads, or two calls,
/// it is fewer from the start.
///
/// - Returns: Whether it is right.
@discardableResult
private func expect<Outcome: Hashable & Sendable>(
  _ isRight: @escaping @Sendable (Outcome) -> Bool, inFewerOrders: Bool = false,
  of scenario: @escaping @Sendable () async -> Outcome
) async -> Bool {
  let strategies: [(Strategy, Int)] =
    inFewerOrders
    ? [(.preemptionBounded(1), 150), (.pct(seed: 1, depth: 3), 100)]
    : [
      (.reduced(assuming: .controlledSharing), 5_000), (.preemptionBounded(2), 2_000),
      (.pct(seed: 1, depth: 3), 300),
    ]
  for (strategy, limit) in strategies {
    let exploration = await explore(
      strategy, limit: limit, stopsAtFailure: true, steps: 400, allowing: isRight,
      scenario: scenario)
    if exploration.failures.isEmpty, exploration.completeness == .scheduleLimit(limit) { continue }
    exploration.expectNoFailures()
    return exploration.failures.isEmpty
  }
  return true
}

@discardableResult
private func expect(
  _ right: [String], inFewerOrders: Bool = false,
  of scenario: @escaping @Sendable () async -> [String]
) async -> Bool {
  await expect([right].contains, inFewerOrders: inFewerOrders, of: scenario)
}

@Test func `all is announced once, on its queue, when the last photo is there, in order`() async {
  await expect(["sea", "dunes"]) { announced(["sea", "dunes"]) }
}

@Test func `a photo that is lost is announced in its place, and so are two`() async {
  guard await expect(["no lost", "sea"], of: { announced(["lost", "sea"]) }) else { return }
  await expect(["no lost", "no lost"]) { announced(["lost", "lost"]) }
}

@Test func `an album without photos is announced, too`() async {
  await expect([]) { announced([]) }
}

@Test func `of equal names each has a photo of its own`() async {
  await expect([[1, 2], [2, 1]].contains) {
    let album: any Photos = Album(client: Server())
    let announcement = Announcement()
    album.download(["sea", "sea"], announcement, on: DispatchQueue(label: "screen"))
    return withExtendedLifetime(album) {
      announcement.photos().map { (try? $0.get().number) ?? 0 }
    }
  }
}

@Test func `a photo may be there before fetch returns, and another one later`() async {
  let isRight = await expect(["sea", "dunes"]) {
    announced(["sea", "dunes"], by: Server { _, work in work() })
  }
  guard isRight else { return }
  await expect(["sea", "no lost"]) {
    announced(
      ["sea", "lost"],
      by: Server { name, work in
        if name == "sea" { work() } else { DispatchQueue.global().async { work() } }
      })
  }
}

@Test func `all photos are on their way at the same time`() async {
  let names = ["sea", "dunes", "wood"]
  await expect(names, inFewerOrders: true) {
    let askedFor = Mutex(0)
    let allAreAskedFor = DispatchSemaphore(value: 0)
    return announced(
      names,
      by: Server { _, work in
        let isLast = askedFor.withLock { askedFor in
          askedFor += 1
          return askedFor == names.count
        }
        if isLast { for _ in names { allAreAskedFor.signal() } }
        DispatchQueue.global().async {
          allAreAskedFor.wait()
          work()
        }
      })
  }
}

@Test func `two downloads of one album know nothing of each other`() async {
  await expect(["sea", "dunes"], inFewerOrders: true) {
    let isFirstAnnounced = DispatchSemaphore(value: 0)
    let album: any Photos = Album(
      client: Server { name, work in
        DispatchQueue.global().async {
          if name == "dunes" { isFirstAnnounced.wait() }
          work()
        }
      })
    let (first, second) = (Announcement(), Announcement())
    let queue = DispatchQueue(label: "screen")
    album.download(["sea"], first, on: queue)
    album.download(["dunes"], second, on: queue)
    let photos = words(first.photos())
    isFirstAnnounced.signal()
    return withExtendedLifetime(album) { photos + words(second.photos()) }
  }
}

@Test func `meanwhile neither the caller nor the queue is blocked`() async {
  await expect(["sea", "dunes"]) {
    let queue = DispatchQueue(label: "screen")
    let isBack = DispatchSemaphore(value: 0)
    let album: any Photos = Album(
      client: Server { name, work in
        DispatchQueue.global().async {
          isBack.wait()
          queue.async { work() }
        }
      })
    let announcement = Announcement()
    album.download(["sea", "dunes"], announcement, on: queue)
    for _ in 1...2 { isBack.signal() }
    return withExtendedLifetime(album) { words(announcement.photos()) }
  }
}

@Test func `nobody has to keep the album meanwhile`() async {
  await expect(["sea", "dunes"]) {
    let announcement = Announcement()
    func begin() {
      let album: any Photos = Album(client: Server())
      album.download(["sea", "dunes"], announcement, on: DispatchQueue(label: "screen"))
    }
    begin()
    return words(announcement.photos())
  }
}
