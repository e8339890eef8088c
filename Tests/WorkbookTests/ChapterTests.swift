import Testing

@testable import Workbook

@Suite struct ChapterTests {
  @Test func `a chapter's slug is its module's name in kebab case`() {
    #expect(Chapter(5, "ReadersWriters", "", demos: []).slug == "readers-writers")
    #expect(Chapter(4, "Races", "", demos: []).slug == "races")
  }

  @Test func `a chapter is named by its slug or its number`() {
    let chapter = Chapter(4, "Races", "", demos: [])
    #expect(chapter.isNamed("races"))
    #expect(chapter.isNamed("4"))
    #expect(chapter.isNamed("04"))
    #expect(!chapter.isNamed("5"))
  }

  @Test func `a sound demo has no defects`() {
    #expect(chapter(.side(.allowed("a"), .forbidden("b"))).defects.isEmpty)
  }

  @Test func `a claim that nothing could falsify is a defect`() {
    #expect(
      chapter(.side(.allowed("a"))).defects
        == [
          "test/demo, test: it forbids no outcome, so nothing could falsify it; forbid what broken code would give"
        ])
  }

  @Test func `a side that accepts nothing, or lists an outcome twice, is a defect`() {
    #expect(
      chapter(.side(.forbidden("b"))).defects == [
        "test/demo, test: it accepts no outcome; declare what it gives as allowed, or as surprising and why"
      ])
    #expect(
      chapter(.side(.allowed("a"), .forbidden("a"))).defects
        == ["test/demo, test: it declares the outcome “a” 2 times; say it once"])
  }

  @Test func `an outcome without a word is a defect`() {
    #expect(
      chapter(.side(.allowed("a"), .forbidden(""))).defects
        == [
          "test/demo, test: it declares an outcome without a word; give it one, so that a page can show it"
        ])
  }

  @Test func `two demos of one name, and a demo without sides, are defects`() {
    let demo = Demo("demo", asks: "?", sides: [])
    #expect(
      Chapter(1, "Test", "", demos: [demo, demo]).defects
        == [
          "test/demo is the name of 2 demos; call them by their problems",
          "test/demo has no side; give it an old one and a new one",
          "test/demo has no side; give it an old one and a new one",
        ])
  }

  @Test func `a scenario may have the name of a demo, and not that of another scenario`() {
    let demo = Demo("same", asks: "?", sides: [.side(.allowed("a"), .forbidden("b"))])
    let scenario = Scenario("same", asks: "?", versions: [Version("test", .allowed("a")) { "a" }])
    #expect(Chapter(1, "Test", "", demos: [demo], scenarios: [scenario]).defects.isEmpty)
    #expect(
      Chapter(1, "Test", "", demos: [demo], scenarios: [scenario, scenario]).defects
        == ["test/same is the name of 2 scenarios; call them by their problems"])
  }

  private func chapter(_ side: Side) -> Chapter {
    Chapter(1, "Test", "", demos: [Demo("demo", asks: "?", sides: [side])])
  }
}

extension Side {
  /// A side that gives the outcome `a`.
  static func side(_ outcomes: Outcome..., era: Era = .after) -> Side {
    Side(era: era, mechanism: "test", outcomes: outcomes, work: .here { _ in "a" })
  }
}
