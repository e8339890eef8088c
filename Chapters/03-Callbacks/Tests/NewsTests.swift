import Foundation
import Testing
import Workbook

@testable import Callbacks

/// A busy indicator, a request, and an alert on error.
@Suite(.serialized, .timeLimit(.minutes(30))) struct NewsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: HTTPServer.Response
    let text: String
    var alert: String?
  }

  static let table = [
    Row(testDescription: "news", answer: .status(200, body: Data("Rain".utf8)), text: "Rain"),
    Row(testDescription: "500", answer: .status(500), text: "", alert: "The server said 500."),
    Row(testDescription: "cut", answer: .cut, text: "", alert: "There is no connection."),
  ]

  @Test(arguments: table)
  @MainActor func `both forms show it, and the indicator goes off`(_ row: Row) async throws {
    let answer = row.answer
    try await HTTPServer.run { _ in
      answer
    } during: { server in
      let (url, indicator) = (server.url(of: "news"), BusyIndicator())
      let old = CalledBack.NewsPage(indicator: indicator, session: .patient)
      await result { @Sendable done in
        DispatchQueue.main.async {
          _ = old.refresh(from: url) { done(()) }
          #expect(indicator.isOn)
        }
      }
      #expect((old.text, old.alert) == (row.text, row.alert))
      #expect(!indicator.isOn)
      let new = Async.NewsPage(indicator: indicator, session: .patient)
      await new.refresh(from: url)
      #expect((new.text, new.alert) == (row.text, row.alert))
      #expect(!indicator.isOn)
    }
  }

  @Test(arguments: table)
  @MainActor func `the forgetful form leaves the indicator on after an error`(
    _ row: Row
  ) async throws {
    let answer = row.answer
    try await HTTPServer.run { _ in
      answer
    } during: { server in
      let (url, indicator) = (server.url(of: "news"), BusyIndicator())
      let page = Forgetful.NewsPage(indicator: indicator, session: .patient)
      await result { @Sendable done in
        DispatchQueue.main.async { page.refresh(from: url) { done(()) } }
      }
      #expect((page.text, page.alert) == (row.text, row.alert))
      #expect(indicator.isOn == (row.alert != nil))
    }
  }

  @Test(arguments: ["completion handler", "async function"])
  @MainActor func `a page that is left alerts nobody, and the indicator goes off`(
    _ form: String
  ) async throws {
    let answer = Gate()
    try await HTTPServer.run { _ in
      await answer.wait()
      return .status(200)
    } during: { server in
      let (url, indicator) = (server.url(of: "news"), BusyIndicator())
      if form == "async function" {
        let page = Async.NewsPage(indicator: indicator, session: .patient)
        let refresh = Task { await page.refresh(from: url) }
        await server.waitUntil(.begun("news"))
        refresh.cancel()
        await refresh.value
        #expect(page.alert == nil)
      } else {
        let page = CalledBack.NewsPage(indicator: indicator, session: .patient)
        let (isOver, begun) = (Gate(), Cancellation())
        begun.begun(page.refresh(from: url) { isOver.open() })
        await server.waitUntil(.begun("news"))
        begun.cancel()
        await isOver.wait()
        #expect(page.alert == nil)
      }
      #expect(!indicator.isOn)
      answer.open()
    }
  }
}
