import Foundation
import Testing
import Workbook

@testable import WorkbookCLI

/// The program as its users call it.
@Suite struct CommandLineTests {
  @Test func `without a command it lists chapters and demos`() async throws {
    let result = try await workbook()
    #expect(result.ending == .exited(0))
    for chapter in course {
      #expect(result.output.contains(" \(chapter.slug): \(chapter.summary)\n"))
      for demo in chapter.demos {
        let isExplored = chapter.scenario(demo.name) != nil
        let line = " \(chapter.slug)/\(demo.name)\(isExplored ? " (and explore)" : "")\n"
        #expect(result.output.contains(line))
      }
    }
  }

  /// The tour of the whole course is a step of its own of what every change passes.
  @Test func `the tour runs every demo and verifies it`() async throws {
    let result = try #require(
      await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
      ) { await Self.tour(giving: "a") })
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    #expect(output.contains("\n3 demos, all verified\n"))
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    let progress = errors.split(separator: "\n").filter { $0.hasPrefix("[") }
    #expect(progress == ["[1/3] first/one", "[2/3] first/two", "[3/3] second/one"])
  }

  @Test func `a claim that does not hold makes the exit status 1`() async {
    await #expect(processExitsWith: .exitCode(1)) { await Self.tour(giving: "b") }
  }

  /// Runs the tour of a small course.
  ///
  /// - Parameter outcome: What its last demo gives, which should be a.
  private static func tour(giving outcome: String) async {
    func demo(_ name: String, giving outcome: String) -> Demo {
      let side = Side.after("test", .allowed("a"), .forbidden("b")) { _ in outcome }
      return Demo(name, asks: "?", sides: [side])
    }
    let course = [
      Chapter(1, "First", "", demos: [demo("one", giving: "a"), demo("two", giving: "a")]),
      Chapter(2, "Second", "", demos: [demo("one", giving: outcome)]),
    ]
    await Program.run(course) { _ in
      try await WorkbookCommand(course: course, terminal: .standardOutput).run(["tour"])
    }
  }

  @Test func `with --json a chapter prints an object a demo and one for the whole`() async throws {
    struct Record: Decodable {
      struct Side: Decodable {
        let era, mechanism, outcome, standing: String
        let holds: Bool
        let steps: [String]
      }
      let chapter, demo: String
      let verified: Bool
      let milliseconds: Int
      let sides: [Side]
    }
    let chapter = course[0]
    let result = try await workbook("demo", chapter.slug, "--json")
    let lines = result.output.split(separator: "\n")
    let count = chapter.demos.count
    #expect(lines.count == count + 1)
    #expect(lines.last == #"{"demos":\#(count),"verified":\#(count),"failed":0}"#)
    for line in lines.dropLast() {
      let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
      #expect(record.verified)
      #expect(!record.sides.isEmpty)
    }
  }

  @Test func `the contents are JSON too`() async throws {
    let result = try await workbook("--json")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == course.count)
    for line in lines {
      #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
    }
  }

  @Test func `a chapter and a demo can be run by name and by number`() async throws {
    #expect(try await workbook("demo", "1/who-waits").output.hasSuffix("1 demo, verified\n"))
    let result = try await workbook("demo", "races/reentrancy", "queues/who-waits")
    #expect(result.output.hasPrefix("races/reentrancy\n"))
    #expect(result.output.hasSuffix("2 demos, all verified\n"))
  }

  @Test(arguments: [
    (["tuor"], "there is no command “tuor”; did you mean “tour”?"),
    (["demo", "race"], "there is no chapter “race”; did you mean “races”?"),
    (
      ["demo", "races/lost-updat"],
      "there is no demo “races/lost-updat”; did you mean “races/lost-update”?"
    ),
    (
      ["demo", "queues/start-order"],
      "“queues/start-order” is explored only, with: workbook explore queues/start-order"
    ),
    (["tour", "--jsn"], "there is no option “--jsn”; did you mean “--json”?"),
    (["tour", "races"], "tour takes no “races”; for some demos: workbook demo CHAPTER[/DEMO]"),
    (["demo"], "demo takes CHAPTER or CHAPTER/DEMO; `workbook` lists them"),
    (["--hazard", "races/none"], "no such hazard: races/none"),
  ])
  func `wrong use is one line on standard error and status 64`(
    _ arguments: [String], _ line: String
  ) async throws {
    let result = try await ChildProcess.run(ChildProcess.product("workbook"), arguments)
    #expect(result.ending == .exited(64))
    #expect(result.output.isEmpty)
    #expect(result.errors == "workbook: \(line)\n")
  }

  @Test(arguments: ["--help", "-h", "help"])
  func `help is a page on standard output`(_ option: String) async throws {
    let result = try await workbook(option)
    #expect(result.ending == .exited(0))
    #expect(result.output.hasPrefix("Usage: workbook"))
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: ["", "trap '' PIPE; "])
  func `a reader that has gone ends the program quietly`(_ setUp: String) async throws {
    let program = try ChildProcess.product("workbook")
    let result = try await ChildProcess.run(
      "/bin/sh",
      ["-c", "\(setUp){ '\(program)' demo races; echo status $? >&2; } | head -1"])
    #expect(result.output == "races/critical-section\n")
    #expect(result.errors == "status 141\n")
  }

  @Test func `a parent that ignores SIGCHLD loses no child`() async throws {
    let program = try ChildProcess.product("workbook")
    let result = try await ChildProcess.run(
      "/bin/bash", ["-c", "trap '' CHLD; exec '\(program)' demo races/lost-update"])
    #expect(result.ending == .exited(0))
    #expect(result.output.hasSuffix("1 demo, verified\n"))
  }

  @Test(arguments: [("89", false), ("100", true), ("nonsense", false)])
  func `COLUMNS decides about two columns where there is no terminal`(
    _ columns: String, _ areTwo: Bool
  ) async throws {
    let result = try await ChildProcess.run(
      ChildProcess.product("workbook"), ["demo", "queues/who-waits"],
      environment: ["COLUMNS": columns, "TERM": "xterm"])
    let firstLine = result.output.split(separator: "\n").first { $0.hasPrefix("before") }
    #expect(firstLine?.contains("after") == areTwo)
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test func `each chapter has a demo program of its own`() async throws {
    for chapter in course {
      let program = try ChildProcess.product("\(chapter.slug)-demo")
      let one = try await ChildProcess.run(program, [chapter.demos[0].name])
      #expect(one.output.hasSuffix("1 demo, verified\n"))
      let none = try await ChildProcess.run(program, ["nonsense"])
      #expect(none.ending == .exited(64))
      #expect(none.errors.hasPrefix("\(chapter.slug)-demo: there is no demo"))
    }
  }

  private func workbook(_ arguments: String...) async throws -> ChildProcess.Result {
    try await ChildProcess.run(ChildProcess.product("workbook"), arguments)
  }
}
