import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

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
@Sendable private func announced(_ names: [String], by server: Server = Server()) -> String {
  let album: any Photos = Album(client: server)
  let announcement = Announcement()
  album.download(names, announcement, on: DispatchQueue(label: "screen"))
  return withExtendedLifetime(album) { words(announcement.photos()) }
}

private func words(_ results: [Result<Photo, PhotoError>]) -> String {
  results.map { result in
    switch result {
    case .success(let photo): photo.name
    case .failure(let error): "no \(error.name)"
    }
  }.joined(separator: ", ")
}

/// Three downloads, or two calls, have more orders than there is time for.
private let some = Orders.upTo(classes: 300, preempted: 200, drawn: 100)

@Test func `all is announced once, on its queue, when the last photo is there, in order`() async {
  await everyOrder(gives: "sea, dunes") { announced(["sea", "dunes"]) }
}

@Test func `so it is for six photos`() async {
  await everyOrder(
    gives: "a, b, c, no lost, d, e", within: .upTo(classes: 20, preempted: 20, drawn: 20),
    steps: 1_000
  ) {
    announced(["a", "b", "c", "lost", "d", "e"])
  }
}

@Test func `a photo that is lost is announced in its place, and so are two`() async {
  await everyOrder(gives: "no lost, sea") { announced(["lost", "sea"]) }
  await everyOrder(gives: "no lost, no lost") { announced(["lost", "lost"]) }
}

@Test func `an album without photos is announced, too`() async {
  await everyOrder(gives: "") { announced([]) }
}

@Test func `of equal names each has a photo of its own`() async {
  await everyOrder(gives: "1 and 2", "2 and 1") {
    let album: any Photos = Album(client: Server())
    let announcement = Announcement()
    album.download(["sea", "sea"], announcement, on: DispatchQueue(label: "screen"))
    return withExtendedLifetime(album) {
      announcement.photos().map { "\((try? $0.get().number) ?? 0)" }.joined(separator: " and ")
    }
  }
}

@Test func `a photo may be there before fetch returns, and another one later`() async {
  await everyOrder(gives: "sea, dunes") {
    announced(["sea", "dunes"], by: Server { _, work in work() })
  }
  await everyOrder(gives: "sea, no lost") {
    announced(
      ["sea", "lost"],
      by: Server { name, work in
        if name == "sea" { work() } else { DispatchQueue.global().async { work() } }
      })
  }
}

@Test func `all photos are on their way at the same time, however many there are`() async {
  let names = (1...12).map { "\($0)" }
  await everyOrder(
    gives: names.joined(separator: ", "), within: .upTo(classes: 5, preempted: 5, drawn: 5),
    steps: 2_000
  ) {
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
  await everyOrder(gives: "sea; dunes", within: some) {
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
    return withExtendedLifetime(album) { "\(photos); \(words(second.photos()))" }
  }
}

@Test func `meanwhile neither the caller nor the queue is blocked`() async {
  await everyOrder(gives: "sea, dunes", within: some) {
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

@Test func `nobody else has to keep the album meanwhile`() async {
  await everyOrder(gives: "sea, dunes") {
    let announcement = Announcement()
    func begin() {
      let album: any Photos = Album(client: Server())
      album.download(["sea", "dunes"], announcement, on: DispatchQueue(label: "screen"))
    }
    begin()
    return words(announcement.photos())
  }
}
