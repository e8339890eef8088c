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
          sides: [
            .after("test", .allowed("a"), .forbidden("b")) { _ in "a" }
              .code("LampLok.swift", "not there")
          ]),
        Demo("untold", asks: "?", sides: [.after("test", .allowed("a")) { _ in "a" }]),
      ]))
  private let path = "Sources/Bad.docc/Bad.md"

  @Test func `a missing part is told, and a claim that nothing could falsify`() {
    #expect(
      missingParts(of: bad) == [
        "there is no Demo/main.swift; all it does is await Chapter.bad.main()",
        "Tests/ holds no @Test; call the rules of ChapterTesting there",
        "Exercises/99-Bad holds 0 exercises, and two are asked for; begin one: swift run workbook new exercise "
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
        "DeskLock.swift imports Workbook: leave it out; a pair imports only CLinux, Dispatch, Foundation, FoundationNetworking, Observation, Synchronization"
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
      try await GeneratedPart.all(of: contents, course: course, program: "")
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

  @Test func `a printed run, a picture and an appendix that are not what the code gives are told`()
    async throws
  {
    let folder = bad.folder.appending(path: "Sources/Bad.docc")
    let complaints = try await staleParts(of: bad.text, path: path, from: folder, course: [])
    #expect(complaints.count == 2)
    #expect(
      complaints.first
        == "\(path):26: the picture nothing.svg it fails: workbook: there is no scenario “races/nothing”; did you mean "
        + "“races/reentrancy”?")
    #expect(
      complaints.last?.hasPrefix(
        "\(path):20: the run of demo queues/who-waits is not what the code gives now; "
          + "`swift run workbook course refresh` writes it anew:\n") == true)
    let appendix = await staleAppendix(of: bad)
    #expect(
      appendix.first?.hasPrefix("Outcomes.md is not what the code gives now;") == true
        && appendix.count == 1)
    let page = await bad.chapter.outcomesPage()
    #expect(
      page.hasSuffix(
        "| --- | --- | --- | --- | --- |\n| `bad/real` | test | a | — | b |\n| `bad/untold` | test | a | — | — |\n"
      ))
  }

  @Test func `a text of another shape is told, section by section`() {
    #expect(
      brokenShape(of: bad).first?.contains(
        "missing: The problem, The model, The port, What the compiler says, Every schedule") == true
    )
    func shaped(_ text: String) -> ChapterFolder {
      ChapterFolder(bad.folder, bad.chapter, text: Markdown(text))
    }
    let bare = [
      "The problem", "The model", "The port", "What the compiler says", "Hazards",
      "Every schedule", "When to keep the old way", "Systems", "Predict, change, see", "Exercises",
    ].map { "## \($0)\n" }.joined()
    #expect(
      brokenShape(of: shaped(bare)) == [
        "\(path):2: the model has no picture: an image, or a drawing in a text fence",
        "\(path):5: there are 0 hazards; tell one to 5, with ### each",
        "\(path):6: there are 0 printed explorations; show one",
        "\(path):8: the table of systems has no row | needs |",
        "\(path):8: the table of systems has no row | with default isolation `MainActor` |",
        "\(path):8: the table of systems has no row | measured on Linux |",
        "\(path):8: the table of systems has no row | said of Apple |",
        "\(path) does not link its appendix, Outcomes.md",
      ])
    let whole =
      bare.replacing("## The model\n", with: "## The model\n![a](a.svg)\n")
      .replacing("## Hazards\n", with: "## Hazards\n### One\n```swift\n```\n### Two\n")
      .replacing(
        "## Every schedule\n", with: "## Every schedule\n```console\n$ workbook explore a/b\n```\n"
      )
      .replacing(
        "## Systems\n",
        with: "## Systems\n| needs |\n| with default isolation `MainActor` |\n"
          + "| measured on Linux |\n| said of Apple |\n[appendix](Outcomes.md)\n")
    #expect(brokenShape(of: shaped(whole)) == ["\(path):10: the hazard has no code of its cure"])
    #expect(
      brokenShape(of: shaped(bare.replacing("## Exercises\n", with: "") + "## Exercises\n")).count
        > 1)
    #expect(
      brokenShape(of: shaped("## Exercises\n" + bare.replacing("## Exercises\n", with: ""))).first?
        .hasSuffix("they stand in another order") == true)
  }

  @Test func `a side without code is told, and a file that is no link`() {
    #expect(
      sidesWithoutCode(of: bad) == [
        "bad/real, test: LampLok.swift has no line with “not there”",
        "bad/untold, test: it shows no code; say .code(FILE, ANCHOR) behind it",
      ])
    #expect(
      unlinkedFiles(in: bad) == [
        "\(path):3: Missing.swift is no link; write [`Missing.swift`](…) with its path"
      ])
  }

  @Test func `a text that is too short or names a missing file is told`() {
    #expect(wrongLength(of: bad) == ["\(path) has 28 words; write 800 to 2,400"])
    #expect(
      unknownFiles(in: bad) == [
        "\(path):3: the chapter has no file Missing.swift; name one that is there"
      ])
  }

  @Test func `a block that the compiler takes otherwise is told`() async throws {
    let text = Markdown(
      """
      ## One
      ```swift
      let one = 1
      ```
      <!-- continues -->
      ```swift
      let two: Int = one + "2"  // error: cannot convert value of type 'String'
      ```
      ```swift
      let three = one  // error: it is not known
      ```
      ## Two
      <!-- continues; flags: -D FOUR -->
      ```swift
      #if FOUR
        let four = one
      #endif
      ```
      """)
    let complaints = try await wrongBlocks(in: text, path: "A.md")
    #expect(
      complaints == [
        "A.md:10: the compiler does not say “error: it is not known”",
        "A.md:10: the compiler says “error: cannot find 'one' in scope”",
        "A.md:16: the compiler says “error: cannot find 'one' in scope”",
      ])
  }

  @Test func `a link that leads nowhere is told`() {
    let folder = bad.folder.appending(path: "Sources/Bad.docc")
    #expect(
      brokenLinks(in: bad.text, path: path, from: folder)
        == [
          "\(path):4: the link to Nowhere.md leads nowhere; it is looked for from the text's folder on",
          "\(path):27: the link to nothing.svg leads nowhere; it is looked for from the text's folder on",
        ])
  }
}
