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
    let verdict = output.lines.first { $0.hasPrefix("  ✗") }
    #expect(verdict?.contains("a (forbidden: never). The course says: b or c.") == true)
    #expect(output.lines.last == "1 of 1 demos failed: test/demo")
  }

  @Test func `a reader who has changed the code is told which file`() async {
    let output = Output()
    let demo = Demo("demo", asks: "?", sides: [.side(.allowed("b"), .forbidden("a"))])
    let chapter = Chapter(1, "Test", "", demos: [demo])
    DemoPage(
      chapter: chapter, result: await demo.run(), changedFiles: ["CounterLock.swift"]
    ).print(on: output.terminal(width: 80))
    #expect(
      output.lines.contains(
        "  ✗ you changed CounterLock.swift, and now: a. The course says: b."))
  }

  @Test func `what goes wrong as declared is no tick`() async {
    let marks = await page(width: 80).compactMap { $0.firstMatch(of: /^  ([✓⚠✗])/)?.1 }
    #expect(marks == ["✓", "⚠"])
  }

  @Test func `each port stands beside its old side, from the same line on`() async {
    let output = Output()
    let allowed = [Outcome.allowed("a"), .forbidden("b")]
    let demo = Demo(
      "demo", asks: "?",
      sides: [
        Side(.before, "one", allowed) { transcript in
          transcript.say("a step")
          return "a"
        },
        Side(.before, "two", allowed) { _ in "a" },
        Side(.after, "three", allowed) { _ in "a" },
        Side(.after, "four", allowed) { _ in "a" },
      ])
    let chapter = Chapter(1, "Test", "", demos: [demo])
    DemoPage(chapter: chapter, result: await demo.run()).print(on: output.terminal(width: 90))
    #expect(output.lines.contains { $0.contains("before · one") && $0.contains("after · three") })
    #expect(output.lines.contains { $0.contains("before · two") && $0.contains("after · four") })
  }

  @Test func `a side shows the lines that it is about, and the code that two share once`() async {
    let output = Output()
    let sides = ["one", "two"].map { name in
      Side(.before, name, [.allowed("a"), .forbidden("b")]) { _ in "a" }
        .code("TerminalTests.swift", "a side shows the lines")
    }
    let demo = Demo("demo", asks: "?", sides: sides)
    let chapter = Chapter(1, "Test", "", demos: [demo], file: #filePath)
    DemoPage(chapter: chapter, result: await demo.run()).print(on: output.terminal(width: 80))
    #expect(output.lines.count { $0.hasPrefix("  TerminalTests.swift:") } == 1)
    #expect(output.lines.contains("  │   let output = Output()"))
  }

  @Test func `an excerpt has three lines, without their indentation, and no reference to itself`() {
    let text = """
        .code("A.swift", "turn")
      func take() {
          turn.wait()

        }
        // more
      """
    let reference = CodeReference(file: "A.swift", anchor: "turn")
    #expect(reference.excerpt(of: text) == .init(line: 3, lines: ["  turn.wait()", "", "}"]))
    #expect(CodeReference(file: "A.swift", anchor: "gone").excerpt(of: text) == nil)
  }

  @Test func `rows stand in columns under their header, and break where they do not fit`() async {
    let output = Output()
    let side = Side(.before, "table", [.allowed("a"), .forbidden("b")]) { transcript in
      transcript.row(["what", "how long"])
      transcript.row(["a lock", "twenty milliseconds"])
      return "a"
    }
    let demo = Demo("demo", asks: "?", sides: [side])
    let chapter = Chapter(1, "Test", "", demos: [demo])
    for width in [40, 22] {
      DemoPage(chapter: chapter, result: await demo.run()).print(on: output.terminal(width: width))
    }
    #expect(output.lines.contains("  what    how long"))
    #expect(output.lines.contains("  a lock  twenty milliseconds"))
    #expect(output.lines.contains("          milliseconds"))
  }

  @Test func `a quiz asks for each side, takes numbers only, and says what was right`() async {
    let output = Output()
    let demo = Demo(
      "demo", asks: "?",
      sides: [
        Side(.before, "one", [.allowed("a"), .forbidden("b")]) { _ in "a" },
        Side(.after, "two", [.surprising("b", "why"), .forbidden("a")]) { _ in "b" },
        Side(.after, "three", [.allowed("a"), .forbidden("b")]) { _ in "a" },
      ])
    let chapter = Chapter(1, "Test", "", demos: [demo])
    var typed = ["x", "1", "1", ""][...]
    let quiz = DemoQuiz(chapter: chapter, demo: demo) { typed.popFirst() }
    let terminal = output.terminal(width: 60)
    let answers = quiz.ask(on: terminal)
    #expect(answers == ["a", "a", nil])
    DemoQuiz.review(answers, of: await demo.run(), on: terminal)
    #expect(output.lines.contains { $0.contains("“x” is no number from 1 to 2") })
    #expect(output.lines.contains("two: you said “a”, and it was “b”"))
    #expect(output.lines.contains("right answers: 1 of 2"))
  }

  @Test func `outcomes are shown without a run`() async throws {
    let output = Output()
    let demo = Demo(
      "demo", asks: "?",
      sides: [
        Side(.before, "one", [.allowed("a"), .surprising("c", "why"), .forbidden("b")]) { _ in
          Issue.record("it runs")
          return "a"
        }
      ])
    let items = DemoRun.all(of: [Chapter(1, "Test", "", demos: [demo])])
    let status = try await DemoRun(
      items, .outcomes, isJSON: false, on: output.terminal(width: 60))()
    #expect(status == .success)
    #expect(
      output.lines.suffix(4)
        == ["  ✓ a (allowed)", "  ⚠ c (surprising: why)", "  – never b", ""])
    #expect(throws: UsageError.self) { try DemoRun.mode(["--ask", "--outcomes"]) }
    #expect(throws: UsageError.self) { try DemoRun.mode(["--ask", "--json"]) }
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
