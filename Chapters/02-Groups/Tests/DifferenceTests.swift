import Dispatch
import Testing
import Workbook

@testable import Groups

/// Where the old form and its port differ, and the text says so.
@Suite(.timeLimit(.minutes(30))) struct DifferenceTests {
  // MARK: An album

  @Test func `a work item that is cancelled tells nobody, and the downloads go on`() async {
    let (shelf, told) = (Shelf(["abc"]), Transcript())
    let arrived = Gate()
    let item = Notified.Album { name, completion in
      shelf.fetch(name) {
        completion($0)
        arrived.open()
      }
    }.load(["abc"], on: .global()) { _ in told.say("told") }
    item.cancel()
    shelf.answer("abc")
    await arrived.wait()
    #expect(item.isCancelled)
    #expect(told.steps.isEmpty)
  }

  @Test func `a wait with a time limit tells that it is over`() async {
    let shelf = Shelf(["abc"])
    let outcome = await result {
      Waiting.Album(fetch: shelf.fetch).load(["abc"], within: .milliseconds(10), then: $0)
    }
    shelf.answer("abc")
    guard case .failure(TimedOut()) = outcome else { return #expect(Bool(false), "\(outcome)") }
  }

  @Test(arguments: ["album", "slideshow"])
  func `a second load begins while the first is waited for`(_ program: String) async throws {
    let (shelf, isFirstDone) = (Shelf(["abc", "def"]), Gate())
    let (album, slideshow) = (
      Waiting.Album(fetch: shelf.fetch), Grouped.Slideshow(fetch: shelf.fetch)
    )
    shelf.answer("def")
    if program == "album" {
      album.load(["abc"], within: .seconds(600)) { _ in isFirstDone.open() }
      let answers = await result { album.load(["def"], within: .seconds(600), then: $0) }
      #expect(try answers.get().map(short) == ["def"])
    } else {
      slideshow.load(["abc"], within: .seconds(600)) { _ in isFirstDone.open() }
      let photos = await result { slideshow.load(["def"], within: .seconds(600), then: $0) }
      #expect(photos == [.named("def")])
    }
    shelf.answer("abc")
    await isFirstDone.wait()
  }

  @Test func `a task group that is cancelled has an answer for each request all the same`() async {
    let (network, isCancelled) = (Network(), Gate())
    let task = Task {
      await isCancelled.wait()
      return await TaskGrouped.Album(fetch: network.photo(named:)).load(["abc", "def"])
    }
    task.cancel()
    isCancelled.open()
    #expect(await task.value.map(short) == ["CancellationError", "CancellationError"])
    #expect(network.underWay == 0)
  }

  @Test func `cancelling does not reach a download behind a callback`() async throws {
    let shelf = Shelf(["abc"])
    let task = Task { try await awaiting(shelf.fetch)("abc") }
    task.cancel()
    shelf.answer("abc")
    #expect(short(await task.result) == "abc")
  }

  @Test func `what is developed on a second queue is waited for`() async {
    let (shelf, grey) = (Shelf(["abc"]), Photo(width: 1, height: 1, pixels: [7, 7, 7]))
    shelf.answer("abc")
    let answers = await result {
      OnTwoQueues.Album(fetch: shelf.fetch, develop: { _ in grey })
        .load(["abc"], on: .global(), then: $0)
    }
    #expect(answers.compactMap { try? $0.get() } == [grey])
  }

  @Test func `a photo that fails once is there after the second try`() async {
    let (old, new) = (Network(), Network())
    let answers = await result {
      Grouped.RetryingAlbum(fetch: old.fetch).load(["flaky"], on: .global(), then: $0)
    }
    #expect(answers.compactMap { try? $0.get() } == [.grain])
    let ported = await TaskGrouped.RetryingAlbum(fetch: new.photo(named:)).load(["flaky"])
    #expect(ported.compactMap { try? $0.get() } == [.grain])
  }

  // MARK: All or an error

  @Test func `a strict album is all photos in order, or an error`() async throws {
    let (old, new) = (Shelf(["abc", "def"]), Shelf(["abc", "def"]))
    for shelf in [old, new] {
      shelf.answer("def")
      shelf.answer("abc")
    }
    let photos = await result {
      Grouped.StrictAlbum(fetch: old.fetch).load(["abc", "def"], on: .global(), then: $0)
    }
    let expected = [Photo.named("abc"), .named("def")]
    #expect(try photos.get() == expected)
    #expect(
      try await TaskGrouped.StrictAlbum(fetch: new.photo(named:)).load(["abc", "def"]) == expected)
  }

  @Test func `the port of a strict album throws the error that comes first`() async {
    let shelf = Shelf(["abc", "def"], missing: ["abc", "def"])
    let clock = VirtualClock()
    let album = TaskGrouped.StrictAlbum { name in
      // Ends when it is cancelled, which the other's error does.
      if name == "abc" { try? await clock.sleep(for: .seconds(1)) }
      return try await shelf.photo(named: name)
    }
    shelf.answer("abc")
    shelf.answer("def")
    await #expect(throws: Shelf.Failure(name: "def")) { try await album.load(["abc", "def"]) }
  }

  // MARK: Mirrors

  @Test func `a mirror that fails is no answer while another may have one`() async throws {
    let (shelf, late) = (Shelf(["abc"], missing: ["abc"]), Shelf(["abc"]))
    shelf.answer("abc")
    late.answer("abc")
    let answer = await result {
      Locked.Mirrors.load("abc", from: [shelf.fetch, late.fetch], on: .global(), then: $0)
    }
    #expect(short(answer) == "abc")
    let photo = try await TaskGrouped.Mirrors()
      .load("abc", from: [shelf.photo(named:), late.photo(named:)])
    #expect(photo == .named("abc"))
  }

  @Test func `where all mirrors fail, the error is told`() async {
    let shelf = Shelf(["abc"], missing: ["abc"])
    shelf.answer("abc")
    let answer = await result {
      Locked.Mirrors.load("abc", from: [shelf.fetch, shelf.fetch], on: .global(), then: $0)
    }
    #expect(short(answer) == "no abc")
    await #expect(throws: Shelf.Failure(name: "abc")) {
      try await TaskGrouped.Mirrors()
        .load("abc", from: [shelf.photo(named:), shelf.photo(named:)])
    }
    await #expect(throws: TaskGrouped.Mirrors.None.self) {
      try await TaskGrouped.Mirrors().load("abc", from: [])
    }
  }

  // MARK: A time limit for all

  @Test func `a slideshow in time has all photos, and nil for one that failed`() async {
    let (old, new) = (
      Shelf(["abc", "def"], missing: ["def"]), Shelf(["abc", "def"], missing: ["def"])
    )
    for shelf in [old, new] {
      shelf.answer("abc")
      shelf.answer("def")
    }
    let photos = await result {
      Grouped.Slideshow(fetch: old.fetch).load(["abc", "def"], within: .seconds(600), then: $0)
    }
    #expect(photos == [.named("abc"), nil])
    // Its clock stands still, so the time is never over.
    let ported = await TaskGrouped.Slideshow(on: VirtualClock(), fetch: new.photo(named:))
      .load(["abc", "def"], within: .seconds(1))
    #expect(ported == [.named("abc"), nil])
  }

  @Test func `when the time is over the port has what came, and has cancelled the rest`() async {
    let (clock, came, log) = (VirtualClock(), Gate(), Transcript())
    let slideshow = TaskGrouped.Slideshow(on: clock) { name in
      if name == "abc" {
        came.open()
        return .named(name)
      }
      do { try await clock.sleep(for: .seconds(3_600)) } catch {
        log.say("\(name) is cancelled")
        throw error
      }
      return .named(name)
    }
    async let photos = slideshow.load(["abc", "def"], within: .seconds(1))
    await came.wait()
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    let isThere = await photos.map { $0 != nil }
    #expect(isThere.last == false)
    #expect(log.steps == ["def is cancelled"])
  }
}
