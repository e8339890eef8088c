import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Callbacks

/// One table for the four forms of the store: where a person comes from, and what comes of it when something goes wrong.
@Suite(.serialized, .timeLimit(.minutes(30))) struct PersonTests {
  // MARK: The layers

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the server answers; nil stands for a test's mistake, since it should not be asked.
    let answer: HTTPServer.Response?
    /// What is in her file; nil stands for none.
    var file: String?
    var isInMemory = false
    let told: String
  }

  static let table = [
    Row(testDescription: "the server knows her", answer: .status(200, body: ada), told: "Ada"),
    Row(testDescription: "nobody knows her", answer: .status(404), told: "nobody"),
    Row(
      testDescription: "the server fails", answer: .status(500),
      told: "service of 1: StatusError(status: 500)"),
    Row(testDescription: "the server hangs up", answer: .cut, told: "service of 1: no connection"),
    Row(
      testDescription: "the server sends nonsense", answer: .status(200, body: ada.dropLast()),
      told: "service of 1: no JSON"),
    Row(
      testDescription: "there is a file", answer: nil, file: String(decoding: ada, as: UTF8.self),
      told: "Ada"),
    Row(
      testDescription: "there is a file of nonsense", answer: nil, file: "{",
      told: "folder of 1: no JSON"),
    Row(
      testDescription: "she is in memory, and all else would fail", answer: nil, file: "{",
      isInMemory: true, told: "Ada"),
  ]

  @Test(arguments: Form.all, table)
  func `all forms come to the same, and memory touches nothing else`(
    _ form: Form, _ row: Row
  ) async throws {
    try await withFolder { folder in
      let known = KnownPersons(in: folder)
      if row.isInMemory { known.keep(.ada) }
      if let file = row.file { try Data(file.utf8).write(to: known.file(of: 1)) }
      try await HTTPServer.run { _ in
        row.answer ?? .cut
      } during: { server in
        let service = SessionService(server: server.url(of: ""), session: .patient)
        let layers = Layers(known: known, service: service)
        #expect(words(await form.person(1, of: layers)) == row.told)
        #expect(server.log.contains(.begun("1")) == (row.answer != nil))
        guard row.told == "Ada" else { return }
        let asked = server.log.count
        try? FileManager.default.removeItem(at: known.file(of: 1))
        #expect(words(await form.person(1, of: layers)) == "Ada")
        #expect(server.log.count == asked, "the second time she is in memory")
      }
    }
  }

  // MARK: Two, and cancelling

  @Test(arguments: Form.all)
  func `a person who is asked for twice at once is told twice`(_ form: Form) async {
    let (service, answers) = (ManualService(), Answers())
    let person = form.store(Layers(known: .nobody, service: service))
    _ = person(1, answers.take)
    _ = person(1, answers.take)
    await service.waitForRequests(2)
    service.answer(1, with: .success(.ada))
    #expect(await answers.told(2) == ["Ada", "Ada"])
  }

  @Test(arguments: Form.all)
  func `what is cancelled as it begins is told so once, and is no request that goes on`(
    _ form: Form
  ) async {
    let (service, answers) = (ManualService(), Answers())
    let cancel = form.store(Layers(known: .nobody, service: service))(1, answers.take)
    cancel()
    #expect(await answers.told() == ["cancelled"])
    #expect(service.cancelled == service.asked)
  }

  @Test(arguments: Form.all)
  func `what is cancelled during its request is told so once, and the request is cancelled`(
    _ form: Form
  ) async {
    let (service, answers) = (ManualService(), Answers())
    let cancel = form.store(Layers(known: .nobody, service: service))(1, answers.take)
    await service.waitForRequests(1)
    cancel()
    #expect(await answers.told() == ["cancelled"])
    #expect(service.cancelled == 1)
    service.answer(1, with: .success(.ada))
    cancel()
    #expect(await answers.told() == ["cancelled"])
  }

  @Test(arguments: Form.all)
  func `what is cancelled after its answer stays as it is`(_ form: Form) async {
    let (service, answers) = (ManualService(), Answers())
    let cancel = form.store(Layers(known: .nobody, service: service))(1, answers.take)
    await service.waitForRequests(1)
    service.answer(1, with: .success(.ada))
    #expect(await answers.told() == ["Ada"])
    cancel()
    #expect(await answers.told() == ["Ada"])
    #expect(service.cancelled == 0)
  }

  @Test func `a cancellation that comes first cancels the work as it begins`() {
    let (cancellation, transcript) = (Cancellation(), Transcript())
    cancellation.cancel()
    cancellation.begun { transcript.say("cancelled") }
    cancellation.cancel()
    #expect(transcript.steps == ["cancelled"])
  }

  // MARK: The screen

  @Test(arguments: Form.all)
  @MainActor func `an older answer after a newer one is not shown, and the indicator goes off`(
    _ form: Form
  ) async {
    let (service, answered) = (ManualService(), Answers())
    let layers = Layers(known: .nobody, service: service)
    let screen = TestScreen(form, of: layers) { answered.note("answered") }
    screen.show(1)
    await service.waitForRequests(1)
    screen.show(2)
    await service.waitForRequests(2)
    #expect(screen.indicator.isOn)
    service.answer(2, with: .success(.bo))
    service.answer(1, with: .success(.ada))
    _ = await answered.told(2)
    #expect(screen.content() == .person(.bo))
    #expect(!screen.indicator.isOn)
  }

  struct Shown: Sendable {
    let answer: Result<Person?, any Error>
    let content: PersonContent

    static let all = [
      Shown(answer: .success(.ada), content: .person(.ada)),
      Shown(answer: .success(nil), content: .nobody),
      Shown(
        answer: .failure(PersonError(layer: .service, id: 1, cause: Lost())),
        content: .failure(.service)),
    ]
  }

  @Test(arguments: Form.all, Shown.all)
  @MainActor func `the screen shows what came of it, and the indicator goes off`(
    _ form: Form, _ shown: Shown
  ) async {
    let (service, answered) = (ManualService(), Answers())
    let layers = Layers(known: .nobody, service: service)
    let screen = TestScreen(form, of: layers) { answered.note("answered") }
    screen.show(1)
    #expect(screen.indicator.isOn)
    await service.waitForRequests(1)
    service.answer(1, with: shown.answer)
    _ = await answered.told()
    #expect(screen.content() == shown.content)
    #expect(!screen.indicator.isOn)
  }

  @Test(arguments: Form.all)
  @MainActor func `a screen that is left shows nothing more, and the indicator goes off`(
    _ form: Form
  ) async {
    let (service, answered) = (ManualService(), Answers())
    let layers = Layers(known: .nobody, service: service)
    let screen = TestScreen(form, of: layers) { answered.note("answered") }
    screen.show(1)
    await service.waitForRequests(1)
    screen.leave()
    _ = await answered.told()
    #expect(screen.content() == .empty)
    #expect(!screen.indicator.isOn)
    #expect(service.cancelled == 1)
  }

  @Test(arguments: Form.all)
  @MainActor func `a screen that is gone takes its request along, and the indicator goes off`(
    _ form: Form
  ) async {
    let (service, answered) = (ManualService(), Answers())
    let layers = Layers(known: .nobody, service: service)
    var screen: TestScreen? = TestScreen(form, of: layers) { answered.note("answered") }
    let indicator = screen!.indicator
    screen!.show(1)
    await service.waitForRequests(1)
    screen = nil
    _ = await answered.told()
    #expect(!indicator.isOn)
    #expect(service.cancelled == 1)
  }

  private struct Lost: Error {}
}

private let ada = Data(#"{"id": 1, "name": "Ada", "city": "London"}"#.utf8)

#if os(Linux)
  @Suite(.timeLimit(.minutes(30))) struct LeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `forty rounds leave no descriptor and no thread behind`() async {
      await #expect(processExitsWith: .success) {
        try await HTTPServer.run { _ in
          .status(200, body: ada)
        } during: { server in
          try await expectNothingLeft(after: 40, behindFirst: 40, fewerThan: 20) {
            try await round(server)
          }
        }
      }
    }
  }

  /// Each form once, with a person, without a folder, and cancelled; and an upload.
  private func round(_ server: HTTPServer) async throws {
    for form in Form.all {
      try await withFolder { folder in
        let service = SessionService(server: server.url(of: ""), session: .patient)
        for known in [KnownPersons(in: folder), .nobody] {
          _ = await form.person(1, of: Layers(known: known, service: service))
        }
      }
      let (service, answers) = (ManualService(), Answers())
      let cancel = form.store(Layers(known: .nobody, service: service))(1, answers.take)
      await service.waitForRequests(1)
      cancel()
      _ = await answers.told()
    }
    let events = Async.UploadEvents()
    Uploader(pieceSize: 1, delegate: events) { _, completion in
      DispatchQueue(label: "server").async { completion(.success(())) }
    }.upload(Data(repeating: 0, count: 5))
    for try await _ in events.fractions {}
  }
#endif
