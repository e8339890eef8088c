import Foundation
import Testing
import Workbook

@testable import WorkbookCLI

/// Each rule fails where it should, and says what to do: on a small chapter that breaks them all.
@Suite struct RuleTests {
  private let bad = ChapterFolder(
    packageFolder.appending(path: "Tests/CourseTests/Fixtures/99-Bad"),
    Chapter(
      99, "Bad", "", [Subject("lamp", asks: "Is it on?", implementations: [])], explored: [],
      demos: [
        Demo(
          "real", asks: "?",
          sides: [.after("test", .allowed("a"), .forbidden("b")) { _ in "a" }]),
        Demo("untold", asks: "?", sides: [.after("test", .allowed("a")) { _ in "a" }]),
      ]))
  private let path = "Sources/Bad.docc/Bad.md"

  @Test func `a missing part is told, and a claim that nothing could falsify`() {
    #expect(
      missingParts(of: bad) == [
        "there is no Demo/main.swift; all it does is await Chapter.bad.main()",
        "Tests/ holds no @Test; call the rules of ChapterTesting there",
        "Exercises/99-Bad holds 0 exercises, and three are asked for; begin one: swift run workbook new exercise "
          + "99-Bad/1-Name",
        "bad/untold, test: it forbids no outcome, so nothing could falsify it; forbid what broken code would give",
      ])
    let empty = ChapterFolder(
      packageFolder.appending(path: "no such folder"), Chapter(1, "Empty", "", demos: []))
    #expect(
      missingParts(of: empty).prefix(3) == [
        "there is no text Sources/Empty.docc/Empty.md; write one, from a real problem on",
        "there is no Demo/main.swift; all it does is await Chapter.empty.main()",
        "Refused/ holds no file; show what Swift refuses here, with expected-error comments",
      ])
    #expect(
      brokenPairs(of: empty) == [
        "there is no pair: one file with an old mechanism in its name, such as CounterLock.swift, and one with its "
          + "port's, such as CounterActor.swift"
      ])
  }

  @Test func `an old side without its port is told, and a pair that imports the workbook`() {
    #expect(
      brokenPairs(of: bad).last == "Desk has an old side and no port: add DeskActor.swift, say")
    #expect(
      foreignImports(in: bad) == [
        "DeskLock.swift imports Workbook: leave it out; a pair imports only Dispatch, Foundation, Synchronization"
      ])
  }

  @Test func `a file that ends on no mechanism is told, unless it goes wrong`() {
    #expect(
      brokenPairs(of: bad).first
        == "LampLok.swift ends on no mechanism (Lock, SerialQueue, Actor, …): call it by one, "
        + "add the word to PairsRule.swift, or move Locked below “// MARK: What goes wrong” in Mechanisms.swift"
    )
    #expect(brokenPairs(of: bad).count == 2)
  }

  @Test func `what is left to do is told, and what stands twice`() {
    #expect(
      unfinishedParts(of: bad)
        == ["LampLok.swift:2: there is something left to do: // TODO: Write it."])
    #expect(
      repeatedWords(in: bad)
        == ["“Is it on?” stands 2 times in the chapter's code; say it in the subject only"])
  }

  @Test func `a chapter that the contents do not name is told, and a row that is not its own`()
    async throws
  {
    let contents = Markdown(
      """
      | | chapter | about |
      | --- | --- | --- |
      | 98 | Other | to come |
      | 99 | Bad | good |
      """)
    func parts(_ course: Chapter...) async throws -> [GeneratedPart] {
      try await GeneratedPart.all(of: contents, in: nil, course: course, program: "")
    }
    #expect(
      try await parts(bad.chapter).map(\.current)
        == [["| 98 | Other | to come |", "| 99 | **[Bad](99-Bad/Sources/Bad.docc/Bad.md)** |  |"]])
    let problem = try await parts(Chapter(97, "New", "", demos: [])).first?.problem
    #expect(problem == "do not name chapter 97, New; add it where it belongs")
  }

  @Test func `code that is there for a tool is told, line by line`() {
    #expect(
      bentCode(in: bad) == [
        "LampLok.swift:3: “<Time: Clock” is not ordinary code: name the type, or take an “any”: a parameter of its own lets a tool in",
        "ShelfQueue.swift:3: “#if EXPLORED” is not ordinary code: leave conditions other than canImport out",
        "ShelfQueue.swift:7: “public” is not ordinary code: leave the access level out: nobody imports a pair",
        "ShelfQueue.swift:8: “Foundation.” is not ordinary code: name the type alone: with its module it is the "
          + "real one where it is explored, too",
        "ShelfQueue.swift:9: “Shared” is not ordinary code: use a plain variable: its uses are seen as they are",
        "ShelfQueue.swift:3: “EXPLORED” is not ordinary code: leave out what is there for a tool",
        "ShelfQueue.swift:11: “pause” is not ordinary code: leave out what is there for a tool",
      ])
  }

  @Test func `a copy among the links is told`() {
    #expect(
      copiedTwins(of: bad) == [
        "Explored/Copy.swift is no link to what the chapter teaches; make it one: ln -s ../Sources/Pairs Explored/Pairs"
      ])
  }

  @Test func `code that Swift accepts is told`() async throws {
    #expect(
      try await acceptedCode(of: bad) == [
        "Refused/Accepted.swift: expected error not produced",
        "Refused/ExpectsNothing.swift expects no error; say which with // expected-error@-1 {{…}}",
      ])
  }

  @Test func `a block that is not in the code is told, one with lines left out is found`() {
    #expect(
      inventedCode(in: bad) == [
        "\(path):6: this swift block is not in the chapter's code; copy it from there, with // … for lines left out"
      ])
  }

  @Test func `a demo that does not exist is told, and one that the text leaves out`() {
    #expect(
      unknownDemos(in: bad.text, path: path, course: [bad.chapter])
        == [
          "\(path):3: there is no demo and no scenario bad/missing; swift run workbook lists them"
        ])
    #expect(untoldDemos(of: bad) == ["\(path) does not mention bad/untold; say what it shows"])
  }

  @Test func `a printed run and a row of outcomes that are not what the code gives are told`()
    async throws
  {
    let complaints = try await staleParts(of: bad.text, path: path, in: bad.chapter, course: [])
    #expect(complaints.count == 2)
    #expect(
      complaints.first?.hasPrefix(
        "\(path):20: the run of demo queues/who-waits is not what the code gives now; "
          + "`swift run workbook course refresh` writes it anew:\n") == true)
    #expect(
      complaints.last == """
        \(path):26: the outcomes is not what the code gives now; `swift run workbook course refresh` writes it anew:
        | `bad/real` | test | a | — | b |
        | `bad/untold` | test | a | — | — |
        """)
    #expect(
      bad.text.replacing(
        try await GeneratedPart.all(
          of: bad.text, in: bad.chapter, course: [], program: ChildProcess.product("workbook"))
      )
      .hasSuffix(
        "| --- | --- | --- | --- | --- |\n| `bad/real` | test | a | — | b |\n| `bad/untold` | test | a | — | — |\n"
      ))
  }

  @Test func `a text that is too short or names a missing file is told`() {
    #expect(wrongLength(of: bad) == ["\(path) has 25 words; write 800 to 2,400"])
    #expect(
      unknownFiles(in: bad) == [
        "\(path):3: the chapter has no file Missing.swift; name one that is there"
      ])
  }

  @Test func `a link that leads nowhere is told`() {
    let folder = bad.folder.appending(path: "Sources/Bad.docc")
    #expect(
      brokenLinks(in: bad.text, path: path, from: folder)
        == [
          "\(path):4: the link to Nowhere.md leads nowhere; it is looked for from the text's folder on"
        ])
  }
}
