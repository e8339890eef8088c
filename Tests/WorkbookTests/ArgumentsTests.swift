import Testing

@testable import Workbook

@Suite struct ArgumentsTests {
  @Test func `words and options are told apart, in any order`() throws {
    let arguments = try Arguments(["demo", "--json", "races"], options: ["--help", "--json"])
    #expect(arguments.words == ["demo", "races"])
    #expect(arguments.options == ["--json"])
    #expect(try Arguments(["-h"], options: ["--help"]).options == ["--help"])
  }

  @Test func `an unknown option is an error that names the nearest`() {
    #expect(throws: UsageError("there is no option “--jsn”; did you mean “--json”?")) {
      try Arguments(["--jsn"], options: ["--help", "--json"])
    }
  }

  @Test func `a word names a chapter or one of its demos`() throws {
    let demos = ["one", "two"].map { Demo($0, asks: "?", sides: []) }
    let course = [Chapter(4, "Races", "", demos: demos), Chapter(5, "Other", "", demos: demos)]
    #expect(try DemoRun.items(named: "races", in: course).count == 2)
    #expect(try DemoRun.items(named: "4/two", in: course).map(\.demo.name) == ["two"])
    #expect(throws: UsageError("there is no chapter “race”; did you mean “races”?")) {
      try DemoRun.items(named: "race/one", in: course)
    }
    #expect(throws: UsageError("there is no demo “races/tow”; did you mean “races/two”?")) {
      try DemoRun.items(named: "races/tow", in: course)
    }
    #expect(throws: UsageError.self) { try DemoRun.items(named: "races/", in: course) }
  }
}
