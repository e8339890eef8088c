import Dispatch
import Testing
import Workbook

@testable import Groups

/// The contract of an album, which all its forms keep: told once, when all requests are answered, with all answers, in
/// the order of the requests.
@Suite(.timeLimit(.minutes(30))) struct AlbumTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let load: @Sendable (Shelf, [String]) async throws -> [Answer]
  }

  static let forms = [
    Form(testDescription: "notify with a block") { shelf, names in
      await result { Grouped.Album(fetch: shelf.fetch).load(names, on: .global(), then: $0) }
    },
    Form(testDescription: "entered before the hand-over") { shelf, names in
      await result { EnteringFirst.Album(fetch: shelf.fetch).load(names, on: .global(), then: $0) }
    },
    Form(testDescription: "notify with a work item") { shelf, names in
      await result { _ = Notified.Album(fetch: shelf.fetch).load(names, on: .global(), then: $0) }
    },
    Form(testDescription: "members on two queues") { shelf, names in
      await result { OnTwoQueues.Album(fetch: shelf.fetch).load(names, on: .global(), then: $0) }
    },
    Form(testDescription: "wait(timeout:) off main") { shelf, names in
      try await result {
        Waiting.Album(fetch: shelf.fetch).load(names, within: .seconds(600), then: $0)
      }.get()
    },
    Form(testDescription: "retrying") { shelf, names in
      await result {
        Grouped.RetryingAlbum(fetch: shelf.fetch).load(names, on: .global(), then: $0)
      }
    },
    Form(testDescription: "task group") { shelf, names in
      await TaskGrouped.Album(fetch: shelf.photo(named:)).load(names)
    },
    Form(testDescription: "task group, called back") { shelf, names in
      await result { completion in
        TaskGrouped.Album(fetch: shelf.photo(named:))
          .load(names, on: .global(), then: completion)
      }
    },
    Form(testDescription: "task group, over callbacks") { shelf, names in
      await TaskGrouped.Album(fetch: awaiting(shelf.fetch)).load(names)
    },
    Form(testDescription: "task group, retrying") { shelf, names in
      await TaskGrouped.RetryingAlbum(fetch: shelf.photo(named:)).load(names)
    },
  ]

  @Test(arguments: forms, [["abc", "def", "ghi"], ["ghi", "def", "abc"], ["def", "abc", "ghi"]])
  func `answers stand in the order of the requests, in whatever order they come`(
    _ form: Form, _ order: [String]
  ) async throws {
    let shelf = Shelf(["abc", "def", "ghi"])
    async let answers = form.load(shelf, ["abc", "def", "ghi"])
    for name in order { shelf.answer(name) }
    #expect(try await answers.map(short) == ["abc", "def", "ghi"])
  }

  @Test(arguments: forms)
  func `each error is kept, at its place`(_ form: Form) async throws {
    let shelf = Shelf(["abc", "def", "ghi"], missing: ["abc", "ghi"])
    async let answers = form.load(shelf, ["abc", "def", "ghi"])
    for name in ["abc", "def", "ghi"] { shelf.answer(name) }
    #expect(try await answers.map(short) == ["no abc", "def", "no ghi"])
  }

  @Test(arguments: forms)
  func `an album is done after its last answer`(_ form: Form) async throws {
    let shelf = Shelf(["abc", "def"])
    async let answers: [Answer] = {
      let answers = try await form.load(shelf, ["abc", "def"])
      shelf.log.say("done")
      return answers
    }()
    shelf.answer("def")
    shelf.answer("abc")
    #expect(try await answers.count == 2)
    #expect(shelf.log.steps == ["def", "abc", "done"])
  }

  @Test(arguments: forms)
  func `an album without photos is done`(_ form: Form) async throws {
    #expect(try await form.load(Shelf([]), []).isEmpty)
  }
}
