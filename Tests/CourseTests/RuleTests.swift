import Foundation
import Testing
import Workbook

@testable import WorkbookCLI

/// Each rule fails where it should: on a small chapter that breaks them all.
@Suite struct RuleTests {
  private let bad = ChapterFolder(
    packageFolder.appending(path: "Tests/CourseTests/Fixtures/99-Bad"),
    Chapter(
      99, "Bad", "",
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
        "there is no Demo/main.swift", "Tests/ holds no @Test",
        "Exercises/99-Bad holds 0 exercises; three or more are asked for",
        "bad/untold, test: it forbids no outcome, so nothing could falsify it",
      ])
    let empty = ChapterFolder(
      packageFolder.appending(path: "no such folder"), Chapter(1, "Empty", "", demos: []))
    #expect(
      missingParts(of: empty) == [
        "there is no text Sources/Empty.docc/Empty.md", "there is no Demo/main.swift",
        "Refused/ holds no file: what does Swift refuse here?", "Tests/ holds no @Test",
        "Exercises/no such folder holds 0 exercises; three or more are asked for",
      ])
    #expect(
      brokenPairs(of: empty) == [
        "there is no pair: one file with an old mechanism in its name, one with its port's"
      ])
  }

  @Test func `an old side without its port is told, and a pair that imports the workbook`() {
    #expect(brokenPairs(of: bad) == ["Desk has an old side and no port"])
    #expect(
      foreignImports(in: bad) == [
        "DeskLock.swift imports Workbook; "
          + "a pair imports only Dispatch, Foundation, Synchronization"
      ])
  }

  @Test func `code that is there for a tool is told, line by line`() {
    #expect(
      bentCode(in: bad) == [
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
    #expect(copiedTwins(of: bad) == ["Explored/Copy.swift is no link to what the chapter teaches"])
  }

  @Test func `code that Swift accepts is told`() async throws {
    #expect(
      try await acceptedCode(of: bad) == [
        "Refused/Accepted.swift: expected error not produced",
        "Refused/ExpectsNothing.swift expects no error",
      ])
  }

  @Test func `a block that is not in the code is told, one with lines left out is found`() {
    #expect(inventedCode(in: bad) == ["\(path):6: this swift block is not in the chapter's code"])
  }

  @Test func `a demo that does not exist is told, and one that the text leaves out`() {
    #expect(
      unknownDemos(in: bad.text, path: path, course: [bad.chapter])
        == ["\(path):3: there is no demo and no scenario bad/missing"])
    #expect(untoldDemos(of: bad) == ["\(path) does not mention bad/untold"])
  }

  @Test func `a printed run and a row of outcomes that are not what the code gives are told`()
    async throws
  {
    let complaints = try await staleParts(of: bad.text, path: path, in: bad.chapter)
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
          of: bad.text, in: bad.chapter, program: ChildProcess.product("workbook"))
      )
      .hasSuffix(
        "| --- | --- | --- | --- | --- |\n| `bad/real` | test | a | — | b |\n| `bad/untold` | test | a | — | — |\n"
      ))
  }

  @Test func `a text that is too short or names a missing file is told`() {
    #expect(wrongLength(of: bad) == ["\(path) has 25 words; 800 to 2,400 are asked for"])
    #expect(unknownFiles(in: bad) == ["\(path):3: the chapter has no file Missing.swift"])
  }

  @Test func `a link that leads nowhere is told`() {
    let folder = bad.folder.appending(path: "Sources/Bad.docc")
    #expect(
      brokenLinks(in: bad.text, path: path, from: folder)
        == ["\(path):4: the link to Nowhere.md leads nowhere"])
  }
}
