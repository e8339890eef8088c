import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import ReadersWriters

/// Every form of the photo manager.
enum Form: String, CaseIterable, CustomTestStringConvertible {
  case unguarded, serialQueue, barrierQueue, mutex, actor
  case syncBarrierQueue, condition, writerFirstCondition, posixLock, snapshot

  var testDescription: String { rawValue }

  func makeManager() -> any Managing {
    switch self {
    case .unguarded: Plain.PhotoManager()
    case .serialQueue: Queued.PhotoManager()
    case .barrierQueue: Barriered.PhotoManager()
    case .mutex: Mutexed.PhotoManager()
    case .actor: Isolated.PhotoManager()
    case .syncBarrierQueue: BarrieredSync.PhotoManager()
    case .condition: Conditioned.PhotoManager()
    case .writerFirstCondition: WriterFirst.PhotoManager()
    case .posixLock: Posix.PhotoManager()
    case .snapshot: Snapshotted.PhotoManager()
    }
  }

  static var guarded: [Form] { allCases.filter { $0 != .unguarded } }
}

/// What holds of all forms; and, each by itself, in what they differ.
@Suite(.timeLimit(.minutes(30))) struct ContractTests {
  @Test(arguments: Form.allCases)
  func `photos are read in the order in which one caller added them`(_ form: Form) async {
    let manager = form.makeManager()
    #expect(await manager.ids == [])
    for id in 1...20 {
      await manager.add(id)
      #expect(await manager.ids == Array(1...id))
    }
  }

  @Test(arguments: Form.guarded)
  func `of many callers nothing is lost, and each caller's order is kept`(_ form: Form) async {
    let manager = form.makeManager()
    await inTasks(4) { caller, _ in
      for number in 0..<50 {
        await manager.add(caller * 100 + number)
        let own = await manager.ids.filter { $0 / 100 == caller }
        #expect(own == (0...number).map { caller * 100 + $0 })
      }
    }
    #expect(await Set(manager.ids).count == 200)
  }

  // MARK: In what they differ

  @Test func `a queue's copy holds the photos themselves, and shows what becomes of them`() {
    let (manager, photo) = (Barriered.PhotoManager(), DownloadedPhoto(id: 1))
    manager.addPhoto(photo)
    let copy = manager.photos
    manager.addPhoto(LibraryPhoto(id: 2, image: image))
    #expect(copy.map(\.id) == [1] && copy[0].status == .downloading)
    photo.finish(with: image)
    #expect(copy[0].status == .good && copy[0].thumbnail == Image(width: 85, height: 64))
  }

  @Test func `an actor's copy holds values, and stays as it was`() async {
    let manager = Isolated.PhotoManager()
    await manager.addPhoto(PhotoValue(id: 1))
    let copy = await manager.photos
    await manager.finish(1, with: image)
    await manager.finish(9, with: image)
    #expect(copy[0].status == .downloading && copy[0].image == nil)
    #expect(await manager.photos[0].status == .good)
  }

  @Test func `a photo that could not be had has failed`() async {
    let (manager, photo) = (Isolated.PhotoManager(), DownloadedPhoto(id: 1))
    photo.finish(with: nil)
    await manager.addPhoto(PhotoValue(id: 1))
    await manager.finish(1, with: nil)
    #expect(await manager.photos[0].status == .failed)
    #expect(photo.status == .failed && photo.thumbnail == nil)
  }

  @Test func `a queue posts a notice for each photo`() {
    let told = DispatchSemaphore(value: 0)
    let manager = Barriered.PhotoManager { told.signal() }
    for id in 1...3 { manager.add(id) }
    for _ in 1...3 { told.wait() }
    #expect(manager.ids == [1, 2, 3])
  }

  @Test func `each of two listeners hears of an addition, once for all that it missed`() async {
    let additions = Additions()
    var listeners = (1...2).map { _ in additions.stream().makeAsyncIterator() }
    for _ in 1...3 { additions.yield() }
    for index in listeners.indices { #expect(await listeners[index].next() != nil) }
    additions.yield()
    for index in listeners.indices { #expect(await listeners[index].next() != nil) }
  }

  @Test func `a listener that is cancelled leaves, and the others still hear`() async {
    let additions = Additions()
    var other = additions.stream().makeAsyncIterator()
    let listening = Task { [stream = additions.stream()] in for await _ in stream {} }
    #expect(additions.count == 2)
    listening.cancel()
    await listening.value
    #expect(additions.count == 1)
    var new = additions.stream().makeAsyncIterator()
    additions.yield()
    #expect(await other.next() != nil)
    #expect(await new.next() != nil)
  }

  @Test func `a listener that drops its stream leaves`() {
    let additions = Additions()
    do { _ = additions.stream() }
    #expect(additions.count == 0)
  }

  @Test(arguments: [Form.mutex, .actor])
  func `a stream keeps one notice for a late listener, and ends with its manager`(
    _ form: Form
  ) async {
    let streams: [AsyncStream<Void>]
    if form == .mutex {
      let manager = Mutexed.PhotoManager()
      streams = [manager.additions.stream(), manager.additions.stream()]
      for id in 1...3 { manager.add(id) }
    } else {
      let manager = Isolated.PhotoManager()
      streams = [manager.additions.stream(), manager.additions.stream()]
      for id in 1...3 { await manager.add(id) }
    }
    for stream in streams {
      var count = 0
      for await _ in stream { count += 1 }
      #expect(count == 1)
    }
  }

  @Test func `a reader of snapshots keeps its copy until there is a newer one`() {
    let manager = Snapshotted.PhotoManager()
    var (first, second) = (manager.makeReader(), manager.makeReader())
    #expect(first.photos.isEmpty)
    manager.add(1)
    #expect(first.photos.map(\.id) == [1] && second.photos.map(\.id) == [1])
    #expect(first.photos.map(\.id) == [1])
  }

  // MARK: The shared instance, and the grid

  @Test func `a shared instance is one for all who come first`() async {
    let seen = Mutex<Set<ObjectIdentifier>>([])
    await inTasks(8) { _, _ in
      let manager = ObjectIdentifier(Barriered.PhotoManager.shared)
      seen.withLock { _ = $0.insert(manager) }
      #expect(Static.Once.filters === Static.Once.filters)
    }
    #expect(seen.withLock { $0.count } == 1)
  }

  @Test @MainActor func `a grid that observes notices reloads, and hides its hint`() async {
    let grid = Barriered.PhotoGrid()
    #expect(grid.photos.isEmpty && !grid.isHintHidden)
    Barriered.PhotoManager.shared.add(1)
    // Whoever reads after the barrier knows that the notice is in the main queue's line.
    _ = Barriered.PhotoManager.shared.photos
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
    #expect(grid.photos.map(\.id) == [1] && grid.isHintHidden)
  }

  @Test @MainActor func `a grid that is gone observes no more`() {
    weak var observer: Barriered.PhotoGrid?
    do {
      let grid = Barriered.PhotoGrid()
      observer = grid
    }
    #expect(observer == nil)
    NotificationCenter.default.post(name: .contentAdded, object: nil)
  }

  @Test @MainActor func `each grid that reads a stream begins with what is there, and reloads`()
    async
  {
    let manager = Isolated.PhotoManager()
    let grids = [Isolated.PhotoGrid(of: manager), Isolated.PhotoGrid(of: manager)]
    let screens = grids.map { Isolated.PhotoScreen($0) }
    await manager.add(1)
    for screen in screens { screen.appear() }
    for grid in grids {
      while !grid.isHintHidden { await Task.yield() }
      #expect(grid.photos.map(\.id) == [1])
    }
    await manager.add(2)
    for grid in grids {
      while grid.photos.count < 2 { await Task.yield() }
      #expect(grid.photos.map(\.id) == [1, 2])
    }
  }

  @Test @MainActor func `a screen that goes away lets its grid go, and the others reload`() async {
    let manager = Isolated.PhotoManager()
    let kept = Isolated.PhotoScreen(Isolated.PhotoGrid(of: manager))
    weak var grid: Isolated.PhotoGrid?
    do {
      let screen = Isolated.PhotoScreen(Isolated.PhotoGrid(of: manager))
      grid = screen.grid
      for screen in [kept, screen] { screen.appear() }
      while manager.additions.count < 2 { await Task.yield() }
      screen.disappear()
    }
    while grid != nil { await Task.yield() }
    #expect(manager.additions.count == 1)
    await manager.add(1)
    while !kept.grid.isHintHidden { await Task.yield() }
    kept.disappear()
    while manager.additions.count > 0 { await Task.yield() }
  }

  // MARK: Once

  @Test func `a waiter that leaves is told of a failure like the others`() async throws {
    struct Unavailable: Error {}
    let attempts = Atomic(0)
    let make: @Sendable () async throws -> Int = {
      let attempt = attempts.add(1, ordering: .relaxed).newValue
      if attempt == 1 { throw Unavailable() }
      return attempt
    }
    let (trying, keeping) = (
      Isolated.Once(make: make),
      Isolated.Once(afterFailure: .keep) { () throws -> Int in throw Unavailable() }
    )
    await #expect(throws: Unavailable.self) { try await trying.value }
    let second = try await trying.value
    #expect(second == 2)
    for _ in 1...2 { await #expect(throws: Unavailable.self) { try await keeping.value } }
    #expect(attempts.load(ordering: .relaxed) == 2)
  }
}

private let image = Image(width: 400, height: 300)
