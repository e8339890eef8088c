import Foundation
import Testing
import Workbook

@testable import Caches

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What both lists of searches have in common.
@Suite(.timeLimit(.minutes(30))) @MainActor struct SearchTests {
  @MainActor private final class Screen {
    let search: @MainActor (String) -> Void
    let leave: @MainActor () -> Void
    let searches: @MainActor () -> Searches

    init(_ side: String, _ service: SearchService) {
      if side == "callback" {
        let list = CalledBack.SearchList(find: service.search)
        (search, leave, searches) = (list.search, list.leave, { list.searches })
      } else {
        let list = SearchList(find: service.search)
        (search, leave, searches) = (list.search, list.leave, { list.searches })
      }
    }

    var terms: String { searches().listed.map(\.result.term).joined(separator: " ") }
  }

  nonisolated static let sides = ["callback", "async"]
  nonisolated static let photo = Photo(id: "7", folder: "5", secret: "f")

  private func withService(
    _ answer: @escaping @Sendable (HTTPServer.Request) async -> HTTPServer.Response,
    key: String = "right", _ body: (SearchService, HTTPServer) async throws -> Void
  ) async throws {
    let session = URLSession.uncached(connections: 4, silence: HTTPServer.patience)
    try await HTTPServer.run(answer) { server in
      try await body(SearchService(server: server.url(of: ""), key: key, session: session), server)
    }
    session.finishTasksAndInvalidate()
  }

  nonisolated private static func page(_ photos: [Photo]) -> HTTPServer.Response {
    let body = try? JSONEncoder().encode(["photos": photos])
    return .status(200, body: body ?? Data())
  }

  @Test(arguments: sides)
  func `a term and a key give photos, or an error in words`(_ side: String) async throws {
    let answer: @Sendable (HTTPServer.Request) -> HTTPServer.Response = { request in
      switch (request.query["key"], request.query["term"]) {
      case ("right", "harbour"): Self.page([Self.photo])
      case ("right", "none"): Self.page([])
      case ("right", "cut"): .cut
      case ("right", "nonsense"): .status(200, body: Data("{".utf8))
      case ("right", _): .status(500)
      default: .status(401)
      }
    }
    for (key, term, alert) in [
      ("right", "harbour", nil), ("wrong", "harbour", "The key is wrong."),
      ("right", "none", "There is no such photo."), ("right", "broken", "The server said 500."),
      ("right", "cut", "The search has failed."), ("right", "nonsense", "The search has failed."),
    ] {
      try await withService(answer, key: key) { service, _ in
        let screen = Screen(side, service)
        screen.search(term)
        while screen.searches().alert == nil && screen.terms.isEmpty { await Task.yield() }
        #expect(screen.searches().alert == alert)
        #expect(
          screen.searches().listed.first?.result.photos == (alert == nil ? [Self.photo] : nil))
      }
    }
  }

  @Test(arguments: sides)
  func `all searches are listed, the newest first, however late they answer`(
    _ side: String
  ) async throws {
    let gates = ["a": Gate(), "b": Gate(), "c": Gate()]
    try await withService { request in
      await gates[request.query["term"] ?? ""]?.wait()
      return Self.page([Self.photo])
    } _: { service, server in
      let screen = Screen(side, service)
      for term in ["a", "b", "c"] { screen.search(term) }
      for (term, terms) in [("b", "b"), ("c", "c b"), ("a", "c b a")] {
        gates[term]?.open()
        while screen.terms.count < terms.count { await Task.yield() }
        #expect(screen.terms == terms)
      }
    }
  }

  @Test(arguments: sides)
  func `an older search that fails says nothing, and one that is left neither`(
    _ side: String
  ) async throws {
    let isOpen = Gate()
    try await withService { request in
      if request.query["term"] == "b" { return Self.page([Self.photo]) }
      await isOpen.wait()
      return .status(500)
    } _: { service, server in
      let screen = Screen(side, service)
      screen.search("a")
      await server.waitUntil(.begun("search"))
      screen.search("b")
      isOpen.open()
      await server.waitUntil(.answered("search"), times: 2)
      while screen.terms != "b" { await Task.yield() }
      #expect(screen.searches().alert == nil)
    }
    let isOver = Gate()
    try await withService { _ in
      await isOver.wait()
      return .status(500)
    } _: { service, server in
      let screen = Screen(side, service)
      screen.search("a")
      await server.waitUntil(.begun("search"))
      screen.leave()
      await server.waitUntil(.dropped("search"))
      isOver.open()
      #expect(screen.searches().alert == nil)
    }
  }

  @Test func `a photo has an address for each size`() {
    let server = URL(string: "http://example.com/")!
    for (size, letter) in [(Photo.Size.thumbnail, "t"), (.medium, "m"), (.large, "b")] {
      #expect(
        Self.photo.url(size, on: server).absoluteString
          == "http://example.com/pictures/5/7_f_\(letter).ppm")
    }
  }
}
