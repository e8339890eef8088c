import Foundation
import Testing
import Workbook

@testable import Operations

/// The contract of publishing, and of an export: both sides.
@Suite(.timeLimit(.minutes(30))) struct PublishTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let publish:
      @Sendable ([Photo], Desk, _ announce: @escaping @Sendable ([Receipt]) -> Void) async throws ->
        Void
  }

  static let forms = [
    Form(testDescription: "operations with dependencies") { photos, desk, announce in
      let publishing = Depending.Publishing(send: desk.send, announce: announce)
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          publishing.publish(photos) { continuation.resume(with: $0) }
        }
      } onCancel: {
        publishing.cancel()
      }
    },
    Form(testDescription: "task group") { photos, desk, announce in
      try await TaskGrouped.Publishing(upload: .init(send: desk.send), announce: announce)
        .publish(photos)
    },
    Form(testDescription: "async let") { photos, desk, announce in
      try await Awaited.Publishing(upload: .init(send: desk.send), announce: announce)
        .publish(photos[0], thumbnail: photos[1])
    },
  ]

  @Test(arguments: forms, [["abc", "def"], ["def", "abc"]])
  func `receipts stand in the order of the photos, in whatever order they come`(
    _ form: Form, _ order: [String]
  ) async throws {
    let (desk, announced) = (Desk(), Transcript())
    async let end: Void = form.publish([.named("abc"), .named("def")], desk) { receipts in
      announced.say(receipts.map(\.name).joined(separator: " "))
    }
    for name in order { await desk.keep(.named(name)) }
    try await end
    #expect(announced.steps == ["abc def"])
  }

  @Test(arguments: forms, [["abc", "def"], ["def", "abc"]])
  func `after an error nothing is announced, and the error arrives`(
    _ form: Form, _ names: [String]
  ) async {
    let (desk, announced) = (Desk(), Transcript())
    let end = Task {
      try await form.publish([.named("abc"), .named("def")], desk) { _ in
        announced.say("announced")
      }
    }
    for name in names { await desk.waits(for: name) }
    await desk.answer(names[0], .failure(Desk.Failure()))
    // With operations, the other upload goes on, and so it does with `async let` if its turn is first.
    await desk.keep(.named(names[1]))
    await #expect(throws: Desk.Failure.self) { try await end.value }
    #expect(announced.steps.isEmpty)
  }

  @Test(arguments: forms)
  func `an album with an empty photo is not announced, and its owner is told`(_ form: Form) async {
    let (desk, announced) = (Desk(), Transcript())
    let end = Task {
      try await form.publish([.named("abc"), Photo(name: "def", bytes: [])], desk) { _ in
        announced.say("announced")
      }
    }
    await desk.keep(.named("abc"))
    await #expect(throws: NothingToSend.self) { try await end.value }
    #expect(announced.steps.isEmpty)
  }

  @Test(arguments: forms)
  func `an album that is cancelled is told so, and is not announced`(_ form: Form) async {
    let (desk, announced) = (Desk(), Transcript())
    let end = Task {
      try await form.publish([.named("abc"), .named("def")], desk) { _ in
        announced.say("announced")
      }
    }
    await desk.waits(for: "abc")
    await desk.waits(for: "def")
    end.cancel()
    await #expect(throws: CancellationError.self) { try await end.value }
    #expect(announced.steps.isEmpty)
  }

  @Test(arguments: forms[1...])
  func `child tasks: the first error cancels what is under way`(_ form: Form) async {
    let desk = Desk()
    let end = Task { try await form.publish([.named("abc"), .named("def")], desk) { _ in } }
    await desk.waits(for: "def")
    await desk.answer("abc", .failure(Desk.Failure()))
    await #expect(throws: Desk.Failure.self) { try await end.value }
    #expect(desk.log.steps.contains("cancelled def"))
  }

  @Test func `an export gives its memory back, however it ends`() async throws {
    for isKept in [true, false] {
      let (desk, budget) = (Desk(), Budget())
      let queue = OperationQueue()
      queue.addOperation(
        Waiting.ExportOperation(
          .named("abc"), within: budget, render: { $0 }, send: desk.send, report: { _ in }))
      let export = Awaited.Export(budget: budget, render: { _ in .named("def") }, send: desk.send)
      let task = Task { try await export.export(.named("def")) }
      for name in ["abc", "def"] {
        await desk.waits(for: name)
        await desk.answer(
          name, isKept ? .success(Receipt(name: name, count: 3)) : .failure(Desk.Failure()))
      }
      await queue.drained()
      _ = await task.result
      #expect(budget.total == 0)
    }
  }

  @Test func `an export that is cancelled before it begins holds nothing and sends nothing`() async
  {
    let (desk, budget, gate) = (Desk(), Budget(), Gate())
    let export = Awaited.Export(budget: budget, render: { $0 }, send: desk.send)
    let task = Task {
      await gate.wait()
      return try await export.export(.named("abc"))
    }
    task.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(budget.total == 0)
    #expect(desk.log.steps.isEmpty)
  }

  // MARK: An announcement

  @Test func `an announcement waits for its connection, and is told that it has come`() async {
    let (connection, told) = (Connection(isUp: false), Gate())
    let announcement = Depending.AnnouncementOperation(over: connection) { told.open() }
    let queue = OperationQueue()
    queue.addOperation(announcement)
    #expect(!announcement.isReady)
    connection.come()
    announcement.connectionDidChange()
    await told.wait()
  }

  @Test(arguments: [true, false])
  func `an announcement that is cancelled without a connection ends, and announces nothing`(
    _ isAfterUpload: Bool
  ) async {
    let (log, queue, upload) = (Transcript(), OperationQueue(), BlockOperation {})
    let announcement = Depending.AnnouncementOperation(over: Connection(isUp: false)) {
      log.say("announced")
    }
    announcement.addDependency(upload)
    queue.add([upload, announcement])
    if isAfterUpload { await blocking { upload.waitUntilFinished() } }
    announcement.cancel()
    await queue.drained()
    #expect(announcement.isFinished)
    #expect(log.steps.isEmpty)
  }

  @Test func `the port awaits the uploads, then the connection, and throws what an upload throws`()
    async throws
  {
    let (desk, connected, log) = (Desk(), Gate(), Transcript())
    let upload = Awaited.Upload(send: desk.send).start(.named("abc"))
    let announcement = Awaited.Announcement(
      connected: { await connected.wait() }, announce: { log.say("announced") })
    async let end: Void = announcement.announce(after: [upload])
    await desk.keep(.named("abc"))
    connected.open()
    try await end
    #expect(log.steps == ["announced"])

    let failing = Awaited.Upload(send: desk.send).start(Photo(name: "def", bytes: []))
    await #expect(throws: NothingToSend.self) { try await announcement.announce(after: [failing]) }
    #expect(log.steps == ["announced"])
  }

  // MARK: States

  @Test func `the states of an upload come in order, and end`() async {
    let desk = Desk()
    let (states, _) = Awaited.States(send: desk.send).upload(.named("abc"))
    await desk.keep(.named("abc"))
    let seen = await states.reduce(into: []) { $0.append($1) }
    #expect(seen == [.waiting, .sending, .kept(Receipt(name: "abc", count: 3))])
  }

  @Test @MainActor func `a loop over Observations sees the last state`() async {
    let (desk, upload, isWatched) = (Desk(), Awaited.ObservedUpload(), Gate())
    let watching = Task {
      var seen: [UploadState] = []
      for await state in upload.states() {
        seen.append(state)
        isWatched.open()
        if case .kept = state { break }
      }
      return seen
    }
    await isWatched.wait()
    async let end: Void = upload.upload(.named("abc")) { try await desk.send($0) }
    await desk.keep(.named("abc"))
    await end
    let seen = await watching.value
    #expect(seen.first == .waiting)
    #expect(seen.last == .kept(Receipt(name: "abc", count: 3)))
  }
}
