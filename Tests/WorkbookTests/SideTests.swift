import Testing

@testable import Workbook

@Suite struct SideTests {
  @Test func `an allowed and a surprising outcome hold`() async {
    let allowed = await Side.side(.allowed("a", "why"), .forbidden("b")).run()
    #expect(allowed.standing == .allowed)
    #expect(allowed.why == "why")
    #expect(allowed.holds)

    let surprising = await Side.side(.surprising("a", "why"), .forbidden("b")).run()
    #expect(surprising.standing == .surprising)
    #expect(surprising.holds)
  }

  @Test func `a forbidden and an undeclared outcome do not hold`() async {
    let forbidden = await Side.side(.allowed("b"), .forbidden("a")).run()
    #expect(forbidden.standing == .forbidden)
    #expect(!forbidden.holds)

    let undeclared = await Side.side(.allowed("b"), .forbidden("c")).run()
    #expect(undeclared.standing == .undeclared)
    #expect(!undeclared.holds)
  }

  @Test func `an error that the code throws fails the claim`() async {
    struct Broken: Error {}
    let side = Side.after("test", .allowed("a"), .forbidden("b")) { _ in throw Broken() }
    let result = await side.run()
    #expect(result.outcome == "error: Broken()")
    #expect(!result.holds)
  }

  @Test func `an outcome that is contradicted does not hold`() {
    let side = Side.side(.allowed("a"), .forbidden("b"))
    #expect(!SideResult(side: side, outcome: "a", steps: [], isContradicted: true).holds)
    #expect(SideResult(side: side, outcome: "a", steps: []).holds)
  }

  @Test func `the steps of a side are those that it said, in order`() async {
    let side = Side.after("test", .allowed("a"), .forbidden("b")) { transcript in
      transcript.say("one")
      transcript.say("two")
      return "a"
    }
    #expect(await side.run().steps == ["one", "two"])
  }

  @Test func `a demo is verified if every side holds`() async {
    let good = Side.side(.allowed("a"), .forbidden("b"))
    let bad = Side.side(.allowed("b"), .forbidden("a"))
    #expect(await Demo("demo", asks: "?", sides: [good, good]).run().isVerified)
    #expect(!(await Demo("demo", asks: "?", sides: [good, bad]).run().isVerified))
  }
}
