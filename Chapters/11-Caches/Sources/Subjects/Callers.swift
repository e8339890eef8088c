import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let twoCallers = Subject(
    "two-callers",
    asks: "Two callers ask for one picture at once. How many downloads are there?",
    right: .allowed("1 download, one picture"),
    implementations: [
      .before("one operation for all") { stage in
        let desk = Desk(isOpen: stage.isExplored)
        let loader = Operated.PictureLoader(width: 4, memory: Shelf(), load: desk.load)
        let pictures = await calledBack(on: stage, desk) { _ = loader.load(.a, .visible, then: $0) }
        return told(desk, pictures[0], pictures[1])
      }
      .code("PictureLoaderOperation.swift", "let operation = flights[url]?.operation"),
      .after(
        "look, await, keep",
        .surprising("2 downloads, two pictures", "the actor is free while it awaits"),
        .allowed("1 download, one picture", "one came when the other was done").onlyExplored
      ) { stage in
        await asked(on: stage) { asking(Reentrant.PictureCache(load: $0.load)) }
      }
      .code("PictureCacheReentrant.swift", "let picture = try await load(url)"),
      .after(
        "a second look",
        .allowed("2 downloads, one picture", "the first to land is kept"),
        .allowed("1 download, one picture", "one came when the other was done").onlyExplored
      ) { stage in
        await asked(on: stage) { asking(SecondLook.PictureCache(load: $0.load)) }
      }
      .code("PictureCacheLookingTwiceActor.swift", "if let earlier"),
      .after("the task is kept") { stage in
        await asked(on: stage) { asking(InFlight.PictureCache(load: $0.load)) }
      }
      .code("PictureCacheTask.swift", "entries[url] = .loading(task)"),
      .after("flights") { stage in
        await asked(on: stage) { asking(PictureLoader.roomy($0)) }
      }
      .code("PictureLoaderActor.swift", "let flight = flights.join"),
    ])

  static let landedInBetween = Subject(
    "landed-in-between",
    asks: "A picture lands while a second caller asks for it. How many downloads are there?",
    right: .allowed("1 download"),
    implementations: [
      .before(
        "a lock for the memory, and one for the table",
        .surprising("2 downloads", "it lands between a look here and a look there"),
        .allowed("1 download", "the second caller was early or late enough")
      ) { stage in
        let desk = Desk()
        let loader = TwoSteps.PictureLoader(memory: Shelf(), load: desk.load)
        _ = await calledBack(on: stage, desk) { loader.load(.a, then: $0) }
        return downloads(desk)
      }
      .code("PictureLoaderTwoSteps.swift", "if let picture = memory.picture")
      .notPlayed("which comes first is up to the pool"),
      .before("one lock for both") { stage in
        let desk = Desk()
        let loader = Operated.PictureLoader(width: 4, memory: Shelf(), load: desk.load)
        _ = await calledBack(on: stage, desk) { _ = loader.load(.a, .visible, then: $0) }
        return downloads(desk)
      }
      .code("PictureLoaderOperation.swift", "if let picture = memory.picture")
      .notPlayed("which comes first is up to the pool"),
      .after("one actor for both") { _ in
        let desk = Desk()
        let loader = PictureLoader.roomy(desk)
        async let first = loader.picture(for: PictureRequest(.a))
        async let second = loader.picture(for: PictureRequest(.a))
        _ = try await (first, second)
        return downloads(desk)
      }
      .code("PictureLoaderActor.swift", "if let picture = memory.value")
      .notPlayed("which comes first is up to the pool"),
    ])

  static let oneLeaves = Subject(
    "one-leaves",
    asks: "Two callers wait for one picture, and one is cancelled. What does the other get?",
    right: .allowed("a picture"),
    implementations: [
      .before("the ticket leaves") { _ in
        await result { report in
          DispatchQueue(label: "caller").async {
            let loader = Operated.PictureLoader(width: 1, memory: Shelf(), load: Desk().load)
            let ticket = loader.load(.a, .visible) { _ in }
            _ = loader.load(.a, .visible) { report(told($0)) }
            loader.cancel(ticket)
          }
        }
      }
      .code("PictureLoaderOperation.swift", "waiters.append(flight.waiters.remove"),
      .after(
        "it cancels the task that both await",
        .surprising("cancelled", "the other has cancelled nothing"),
        .allowed("a picture", "it came when all was over").onlyExplored
      ) { stage in
        await left(on: stage) { asking(CancelsForAll.PictureCache(load: $0.load)) }
      }
      .code("PictureCacheCancelsForAll.swift", "task.cancel()"),
      .after("it leaves the flight") { stage in
        await left(on: stage) { asking(PictureLoader.roomy($0)) }
      }
      .code("PictureLoaderActor.swift", "let (waiter, abandoned)"),
    ])

  static let nobodyWaits = Subject(
    "nobody-waits",
    asks: "A cell asks, and its search is left at once. The server is silent. What is it told?",
    right: .allowed("cancelled"),
    implementations: [
      .before(
        "all operations are cancelled", .deadlock("what is cancelled before it begins says nothing")
      ) { stage in
        let desk = Desk(isOpen: false)
        let loader = Published.PictureLoader(width: 1, memory: Shelf(), load: desk.load)
        stage.aboutToBlock("an answer that does not come")
        return await told {
          try await result { completion in
            DispatchQueue.main.async {
              loader.load(.a, then: completion)
              loader.cancelAll()
            }
          }.get()
        }
      }
      .code("PictureLoaderPublished.swift", "if isCancelled { return end() }")
      .alwaysWrong
      .found("scenario waits for a continuation"),
      .before("the ticket is cancelled") { _ in
        let desk = Desk(isOpen: false)
        let loader = Operated.PictureLoader(width: 1, memory: Shelf(), load: desk.load)
        return await told {
          try await result { completion in
            loader.cancel(loader.load(.a, .visible, then: completion))
          }.get()
        }
      }
      .code("PictureLoaderOperation.swift", "waiter.completion(.failure"),
      .after(
        "the task is kept, and nobody can leave",
        .deadlock("a task that waits for another one's value is not woken by its own cancellation")
      ) { stage in
        let cache = InFlight.PictureCache(load: Desk(isOpen: false).load)
        let caller = Task { await told { try await cache.picture(at: .a) } }
        caller.cancel()
        stage.aboutToBlock("an answer that does not come")
        return await caller.value
      }
      .code("PictureCacheTask.swift", "return try await task.value")
      .alwaysWrong
      .found(
        "scenario waits for the value of task 1; task 1 waits for the value of task 1.1; task 1.1 "
          + "waits for a continuation"),
      .after("the last one leaves") { _ in
        let desk = Desk(isOpen: false)
        let loader = PictureLoader.roomy(desk)
        let caller = Task { await told { try await loader.picture(for: PictureRequest(.a)) } }
        caller.cancel()
        return await caller.value
      }
      .code("PictureLoaderActor.swift", "if let abandoned"),
    ])
}

/// What the implementations of actors have in common.
private protocol Caching: Actor {
  func picture(at url: URL) async throws -> Picture
}

extension Reentrant.PictureCache: Caching {}
extension SecondLook.PictureCache: Caching {}
extension InFlight.PictureCache: Caching {}
extension CancelsForAll.PictureCache: Caching {}
extension PictureLoader: Caching {
  fileprivate func picture(at url: URL) async throws -> Picture {
    try await picture(for: PictureRequest(url))
  }
}

/// How to ask for a picture, and how to wait until a caller has been heard.
private typealias Asking = (
  ask: @Sendable () async throws -> Picture, settle: @Sendable () async -> Void
)

private func asking(_ cache: some Caching) -> Asking {
  ({ try await cache.picture(at: .a) }, { await settle(cache) })
}

/// Two ask. Played, no answer comes before both have been heard.
private func asked(on stage: Stage, _ make: (Desk) -> Asking) async -> String {
  let (desk, _, first, second) = await callers(on: stage, make)
  if !stage.isExplored { desk.open() }
  return await told(desk, try? first.value, try? second.value)
}

/// Two ask, and the first is cancelled. Played, both have been heard then, and no answer has come.
private func left(on stage: Stage, _ make: (Desk) -> Asking) async -> String {
  let (desk, asking, first, second) = await callers(on: stage, make)
  first.cancel()
  if !stage.isExplored {
    await asking.settle()
    desk.open()
  }
  _ = await first.result
  return await told { try await second.value }
}

private func callers(
  on stage: Stage, _ make: (Desk) -> Asking
) async -> (Desk, Asking, Task<Picture, any Error>, Task<Picture, any Error>) {
  let desk = Desk(isOpen: stage.isExplored)
  let asking = make(desk)
  return await (
    desk, asking, caller("first", asking, on: stage), caller("second", asking, on: stage)
  )
}

private func caller(
  _ name: String, _ asking: Asking, on stage: Stage
) async -> Task<Picture, any Error> {
  if stage.isExplored { return Task(name: name) { try await asking.ask() } }
  let caller = Task.immediate(name: name) { try await asking.ask() }
  await asking.settle()
  return caller
}

/// Two callers on threads of their own. Played, no answer comes before both have asked.
private func calledBack(
  on stage: Stage, _ desk: Desk,
  _ load: @escaping @Sendable (@escaping Completion<Picture>) -> Void
) async -> [Picture?] {
  await result { report in
    let (asked, answered) = (DispatchGroup(), DispatchGroup())
    let pictures = Mutex<[Picture?]>([])
    for name in ["first", "second"] {
      answered.enter()
      DispatchQueue(label: name).async(group: asked) {
        load { result in
          pictures.withLock { $0.append(try? result.get()) }
          answered.leave()
        }
      }
    }
    if !stage.isExplored { asked.notify(queue: .global()) { desk.open() } }
    answered.notify(queue: .global()) { report(pictures.withLock { $0 }) }
  }
}

private func told(_ desk: Desk, _ first: Picture?, _ second: Picture?) -> String {
  let isOne = first != nil && first == second
  return "\(downloads(desk)), \(isOne ? "one picture" : "two pictures")"
}

private func downloads(_ desk: Desk) -> String {
  let count = desk.begun.count
  return "\(count) download\(count == 1 ? "" : "s")"
}
