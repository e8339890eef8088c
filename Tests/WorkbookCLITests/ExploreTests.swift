import Foundation
import Testing
import Workbook

@testable import WorkbookCLI

/// `workbook explore` as its users call it.
@Suite struct ExploreTests {
  // The suites of the chapters explore all of them; here one stands for all.
  @Test(
    .enabled(if: !ThreadSanitizer.isActive, "the explorer does not see plain variables with it"))
  func `every scenario of a chapter is explored`() async throws {
    let chapter = try #require(course.first)
    let result = try await workbook("explore", chapter.slug)
    #expect(result.ending == .exited(0), "\(result.output)")
    #expect(result.output.hasSuffix("\n\(chapter.scenarios.count) scenarios, as declared\n"))
    for scenario in chapter.scenarios {
      #expect(result.output.contains("\(chapter.slug)/\(scenario.name)\n"))
    }
  }

  @Test func `with --json it prints an object a version and one for the whole`() async throws {
    struct Record: Decodable {
      struct Entry: Decodable {
        let outcome, standing: String
        let schedules: Int
        let schedule, cause: String?
        let tasks: [String]?
      }
      let chapter, scenario, version: String
      let verified, complete: Bool
      let outcomes: [Entry]
    }
    let result = try await workbook("explore", "--json", "races/reentrancy", "--side", "after")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last == #"{"scenarios":1,"verified":1,"failed":0}"#)
    let records = try lines.dropLast().map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
    #expect(records.allSatisfy { $0.verified && $0.complete })
    #expect(records[0].outcomes.map(\.outcome) == ["balance 20", "balance -60"])
    #expect(records[0].outcomes[1].tasks == ["scenario", "A", "B"])
    #expect(records[0].outcomes[1].cause?.contains("before it came back") == true)
    #expect(records[1].outcomes.map(\.standing) == ["allowed"])
  }

  @Test func `a schedule that was printed replays its trace in another process`() async throws {
    let whole = try await workbook("explore", "races/reentrancy", "--side=after").output
    let schedule = try #require(whole.firstMatch(of: /--schedule (\S+)/)?.1)
    let again = try await workbook(
      "explore", "races/reentrancy", "--side=after", "--schedule", "\(schedule)")
    #expect(again.ending == .exited(0))
    let trace = try #require(
      whole.firstMatch(of: /\n\n( +A and B are tasks.*\n(?:.|\n)*?--schedule \S+\n)/)?.1)
    #expect(again.output.contains(trace))
    #expect(again.output.contains("1 schedule; one schedule, replayed"))
  }

  @Test func `bookkeeping is told with --all only`() async throws {
    let plain = try await workbook("explore", "races/reentrancy", "--side=after").output
    let all = try await workbook("explore", "races/reentrancy", "--side=after", "--all").output
    #expect(!plain.contains("starts A") && all.contains("starts A"))
  }

  @Test(
    .enabled(if: !ThreadSanitizer.isActive, "the explorer does not see plain variables with it"))
  func `a race is shown in a run in which it does harm, and that run once`() async throws {
    let output = try await workbook("explore", "races/lost-update", "--side=before").output
    #expect(output.contains("In the run above: A writes value"))
    #expect(output.ranges(of: "--schedule").count == 1)
    #expect(output.contains("writes value = 1"))
    #expect(!output.contains("writes value = 2"))
  }

  @Test func `a picture is written where it is asked for, and only of what has a trace`()
    async throws
  {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "picture-\(UUID().uuidString).svg")
    defer { try? FileManager.default.removeItem(at: file) }
    let drawn = try await workbook(
      "explore", "races/reentrancy", "--side=after", "--svg", file.path)
    #expect(drawn.ending == .exited(0))
    #expect(try String(contentsOf: file, encoding: .utf8).contains("balance: 20 → -60"))
    let nothing = try await workbook("explore", "priority-inversion/index", "--svg", file.path)
    #expect(nothing.ending == .exited(64))
    #expect(nothing.errors.contains("has no trace to draw"))
    let nowhere = try await workbook(
      "explore", "races/reentrancy", "--side=after", "--svg", "/no such folder/a.svg")
    #expect(nowhere.ending == .exited(64))
    #expect(nowhere.errors.contains("there is no folder /no such folder for"))
  }

  @Test(arguments: ["exhaustive", "reduced", "bounded:1", "random", "pct:3"])
  func `every strategy finds the overdraft`(_ strategy: String) async throws {
    let result = try await workbook(
      "explore", "races/reentrancy", "--side", "after", "--strategy", strategy, "--limit=2000",
      "--seed", "7")
    #expect(result.ending == .exited(0))
    #expect(result.output.contains("⚠ balance -60 in"))
  }

  @Test func `a limit is told, and what was not seen is then no failure`() async throws {
    let result = try await workbook("explore", "races/reentrant-cache", "--limit", "2")
    #expect(result.ending == .exited(0))
    #expect(result.output.contains("not complete: stopped at the limit of 2 schedules"))
  }

  @Test func `a version that does not give what it declares makes the exit status 1`() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let scenario = Scenario(
        "scenario", asks: "?",
        versions: [Version("test", .allowed("a"), .surprising("b", "never")) { "a" }])
      let course = [Chapter(1, "Test", "", demos: [], scenarios: [scenario])]
      await Program.run(course) { _ in
        try await WorkbookCommand(course: course, terminal: .standardOutput)
          .run(["explore", "test"])
      }
    }
  }

  @Test(arguments: [
    (["explore"], "explore takes CHAPTER or CHAPTER/SCENARIO; `workbook` lists them"),
    (
      ["explore", "races/reentrancies"],
      "there is no scenario “races/reentrancies”; did you mean “races/reentrancy”?"
    ),
    (
      ["explore", "queues/urgent-upload"],
      "“queues/urgent-upload” is a demo and no scenario; run it with: workbook demo queues/urgent-upload"
    ),
    (["explore", "races", "--limit", "0"], "--limit takes a number from 1 on, not “0”"),
    (["explore", "races", "--limit"], "--limit takes a value: --limit VALUE"),
    (
      ["explore", "races", "--strategy", "fast"],
      "“fast” is no strategy; there are exhaustive, reduced, bounded:PREEMPTIONS, random and pct:DEPTH"
    ),
    (
      ["explore", "races/reentrancy", "--schedule", "01"],
      "“01” is no schedule; one looks like 0112.9c3e, as an exploration prints it"
    ),
    (
      ["explore", "races", "--schedule", "01.0000"],
      "--schedule takes one scenario: a schedule belongs to one"
    ),
    (["explore", "races", "--side", "both"], "--side takes before or after, not “both”"),
    (
      ["explore", "races/await-lost-update", "--side", "before"],
      "races/await-lost-update has nothing on the side before"
    ),
    (["tour", "--limit", "3"], "--limit goes with explore only"),
  ])
  func `wrong use is one line on standard error and status 64`(
    _ arguments: [String], _ line: String
  ) async throws {
    let result = try await ChildProcess.run(ChildProcess.product("workbook"), arguments)
    #expect(result.ending == .exited(64))
    #expect(result.output.isEmpty)
    #expect(result.errors == "workbook: \(line)\n")
  }

  @Test func `a chapter without scenarios is told`() {
    let error = #expect(throws: UsageError.self) {
      try ExploreRun.items(named: "empty", in: [Chapter(1, "Empty", "", demos: [])])
    }
    #expect(error?.description == "empty has no scenario to explore")
  }

  private func workbook(_ arguments: String...) async throws -> ChildProcess.Result {
    try await ChildProcess.run(ChildProcess.product("workbook"), arguments)
  }
}
