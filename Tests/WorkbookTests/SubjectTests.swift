import Testing

@testable import Workbook

@Suite struct SubjectTests {
  private final class Thing: Sendable {}

  private static let subject = Subject(
    "subject", asks: "?", right: .allowed("right"),
    implementations: [
      .before("hazard", .surprising("wrong", "why"), .race) { encounter() },
      .before("hanging", .deadlock("each waits")) { encounter() }.watched("deadlock", "early"),
      .after("cure") { encounter() },
      .after("cure in its own words", .allowed("right", "because"), meanwhile: .comesIn) {
        encounter()
      },
      .after("explored only") { encounter() }.notPlayed("it has no middle"),
      .after("played only") { encounter() }.notExplored("it outlives an execution"),
    ])

  private static func encounter() -> Encounter {
    Encounter(over: Thing(), stoppedAt: .change(1)) { _ in
    } outcome: { _, _ in
      "right"
    }
  }

  private func outcomes(_ mechanism: String) -> [String] {
    let side = Self.subject.demo(of: "chapter", watched: nil)?.sides
      .first { $0.mechanism == mechanism }
    return side?.outcomes.map { "\($0.kind) \($0.value)" } ?? []
  }

  @Test func `what goes wrong forbids what is right, and the other way round`() {
    #expect(
      outcomes("hazard") == ["surprising B comes in, wrong", "forbidden B comes in, right"])
    #expect(outcomes("hanging") == ["surprising hang", "forbidden B waits, right"])
    let wrong = ["forbidden B comes in, wrong", "forbidden hang"]
    #expect(outcomes("cure") == ["allowed B waits, right"] + wrong)
    #expect(outcomes("cure in its own words") == ["allowed B comes in, right"] + wrong)
  }

  @Test func `what races or hangs is a hazard, and the hazard knows it`() throws {
    let sides = try #require(Self.subject.demo(of: "chapter", watched: nil)).sides
    #expect(
      sides.compactMap(\.hazard?.id) == ["chapter/subject: hazard", "chapter/subject: hanging"])
    #expect(sides.compactMap(\.hazard?.isDataRace) == [true, false])
  }

  @Test func `explored, each gives what is right and its own`() throws {
    let versions = try #require(Self.subject.scenario).versions
    #expect(
      versions.map { "\($0.mechanism): \($0.outcomes.map(\.value).joined(separator: ", "))" } == [
        "hazard: right, wrong, race", "hanging: right, deadlock", "cure: right",
        "cure in its own words: right", "explored only: right",
      ])
  }

  @Test func `what is not played or not explored is left out`() {
    let demo = Self.subject.demo(of: "chapter", watched: nil)
    #expect(demo?.sides.contains { $0.mechanism == "explored only" } == false)
    #expect(demo?.sides.contains { $0.mechanism == "played only" } == true)
  }

  @Test func `what is watched has a side of its own behind`() throws {
    let sides = try #require(Self.subject.demo(of: "chapter", watched: Self.subject)).sides
    let index = try #require(sides.firstIndex { $0.mechanism == "hanging, watched" })
    #expect(sides[index - 1].mechanism == "hanging")
    #expect(sides[index].outcomes.map(\.value) == ["deadlock", "hang"])
  }

  /// This suite is not compiled so that its accesses are seen.
  @Test func `a stop that never comes is told`() async {
    let outcome = await Self.encounter().play(meanwhile: .waits) {}
    #expect(outcome == "A is not stopped, right")
  }

  @Test func `a call stops A, and B comes in`() async {
    let pause = Pause()
    let encounter = Encounter(over: Thing(), stoppedAt: .call(pause)) {
      await pause()
    } by: {
    } outcome: { _, _ in
      "right"
    }
    #expect(await encounter.play(meanwhile: .comesIn) {} == "B comes in, right")
  }
}
