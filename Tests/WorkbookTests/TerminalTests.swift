import Synchronization
import Testing

@testable import Workbook

@Suite struct TerminalTests {
  @Test func `a line is broken at spaces and what follows is indented`() {
    let line = StyledText(text: "  one two three four")
    #expect(line.wrapped(to: 11).map(\.text) == ["  one two", "    three", "    four"])
    #expect(StyledText(text: "short").wrapped(to: 80).map(\.text) == ["short"])
    #expect(StyledText(text: "").wrapped(to: 80).map(\.text) == [""])
  }

  @Test func `a word longer than the line is cut, and nothing of it is lost`() {
    let pieces = StyledText(text: "a bcdefghij").wrapped(to: 5).map(\.text)
    #expect(pieces == ["a", "  bcd", "  efg", "  hij"])
    #expect(StyledText(text: "abc").wrapped(to: 1).map(\.text).joined() == "a  b  c")
  }

  @Test func `a wide terminal shows the two worlds side by side`() async {
    let lines = await page(width: 90)
    #expect(
      lines.contains {
        $0.hasPrefix("before · test") && $0.dropFirst(40).contains("after · test")
      })
    #expect(lines.allSatisfy { $0.count <= 90 })
  }

  @Test func `a narrow terminal shows them one under the other`() async throws {
    let lines = await page(width: 89)
    let before = try #require(lines.firstIndex(of: "before · test"))
    let after = try #require(lines.firstIndex(of: "after · test"))
    #expect(before < after)
  }

  @Test func `every line fits`() async {
    for width in [30, 60, 90, 120, 200] {
      #expect(await page(width: width).allSatisfy { $0.count <= width })
    }
  }

  @Test func `only a terminal with colour gets escape codes`() async {
    #expect(await page(width: 80, hasColour: false).allSatisfy { !$0.contains("\u{1B}") })
    #expect(await page(width: 80, hasColour: true).contains { $0.contains("\u{1B}[1m") })
  }

  @Test func `an outcome that does not hold is shown with those that would have`() async {
    let output = Output()
    let side = Side.side(.allowed("b"), .surprising("c", "why"), .forbidden("a", "never"))
    let chapter = Chapter(1, "Test", "", demos: [Demo("demo", asks: "?", sides: [side])])
    let status = try? await DemoRun(
      DemoRun.all(of: [chapter]), isJSON: false, on: output.terminal(width: 80))()
    #expect(status == .claimFailed)
    #expect(output.lines.contains("  ✗ a (forbidden: never; accepted: b or c)"))
    #expect(output.lines.last == "1 of 1 demos failed: test/demo")
  }

  @Test func `the nearest name is suggested`() {
    let error = UsageError.unknown(
      "demo", "lost-updat", among: ["critical-section", "lost-update"])
    #expect(error.description == "there is no demo “lost-updat”; did you mean “lost-update”?")
    #expect(UsageError.unknown("demo", "x", among: []).description == "there is no demo “x”")
  }

  @Test(arguments: [
    ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("kitten", "sitting", 3), ("races", "race", 1),
    ("tour", "tuor", 2),
  ])
  func `the distance of two names counts edits`(_ first: String, _ second: String, _ edits: Int) {
    #expect(first.editDistance(to: second) == edits)
  }

  private func page(width: Int, hasColour: Bool = false) async -> [String] {
    let output = Output()
    let demo = Demo(
      "demo", asks: "What does a question of more than thirty characters look like on a page?",
      sides: [
        .side(
          .allowed("a", "for a reason that takes some words to tell"), .forbidden("b"), era: .before
        ),
        .side(.surprising("a", "why"), .forbidden("b")),
      ])
    let chapter = Chapter(1, "Test", "", demos: [demo])
    DemoPage(chapter: chapter, result: await demo.run())
      .print(on: output.terminal(width: width, hasColour: hasColour))
    return output.lines
  }
}

/// Keeps what is printed.
final class Output: Sendable {
  private let text = Mutex("")

  var lines: [String] {
    text.withLock(\.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  func terminal(width: Int, hasColour: Bool = false) -> Terminal {
    Terminal(width: width, hasColour: hasColour) { more in
      self.text.withLock { $0 += more }
    }
  }
}
