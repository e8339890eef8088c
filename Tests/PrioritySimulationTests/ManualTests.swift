import Foundation
import PrioritySimulation
import Testing

/// What the manual shows is the program below, and what it says is printed is what that prints.
struct ManualTests {
  private let manual: String
  private let suite: String

  init() throws {
    let file = URL(filePath: #filePath)
    let folder = file.deletingLastPathComponent()
    let page = folder.deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "Sources/PrioritySimulation/PrioritySimulation.docc/PrioritySimulation.md")
    manual = try String(contentsOf: page, encoding: .utf8)
    suite = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined()
  }

  /// The manual's blocks in a language, or in none, each ended by a line feed.
  private func blocks(_ language: String) -> [String] {
    manual.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix(language + "\n") }
      .map { String($0.element.dropFirst(language.count + 1)) }
  }

  private static func trimmed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  @Test func `the program of the manual prints its runs`() throws {
    var printed = ""
    // A chart ends its last line itself; the empty line that comes of that is not shown.
    func print(_ item: Any) {
      let text = "\(item)"
      printed += text.hasSuffix("\n") ? text : text + "\n"
    }
    // The manual begins.
    var tasks = TaskSet(
      jobs: [
        Job(
          "control", priority: 4, release: 3, period: 50, deadline: 25,
          [.compute(2), .lock("readings"), .compute(3), .unlock("readings"), .compute(3)]),
        Job("video", priority: 3, release: 8, period: 100, [.compute(30)]),
        Job(
          "logger", priority: 1, period: 100,
          [.compute(1), .lock("readings"), .compute(8), .unlock("readings")]),
      ],
      locks: ["readings"])

    print(try simulate(tasks, under: .noProtocol, until: 100))

    for frame in [10, 30, 50] {
      var longer = tasks
      longer.jobs[1].segments = [.compute(frame)]
      let simulation = try simulate(longer, under: .noProtocol, until: 100)
      let first = simulation.responses(of: "control")[0]
      print("video takes \(frame): control waits for \(first.blocked) ms, late: \(first.isLate)")
    }

    let inherited = try simulate(tasks, under: .inheritance, until: 100)
    print(inherited)

    let analysis = try ResponseTimeAnalysis(tasks, under: .inheritance)
    for job in tasks.jobs {
      let longest = inherited.responses(of: job.name).compactMap(\.time).max() ?? 0
      let bound = analysis.response(of: job.name).map { "at most \($0)" } ?? "no bound"
      print("\(job.name): \(longest) ms in this run, \(bound)")
    }

    tasks.jobs[0].segments += [.lock("route"), .compute(2), .unlock("route")]
    tasks.jobs.append(
      Job(
        "planner", priority: 2, release: 2, period: 200,
        [.lock("route"), .compute(10), .unlock("route"), .compute(10)]))
    tasks.locks.append("route")
    for policy in LockingProtocol.all {
      let simulation = try simulate(tasks, under: policy, until: 10_000)
      let longest = simulation.responses(of: "control").compactMap(\.time).max() ?? 0
      let analysis = try ResponseTimeAnalysis(tasks, under: policy)
      let bound = analysis.response(of: "control").map { "at most \($0)" } ?? "no bound"
      print("\(policy): \(longest) ms in this run, \(bound)")
    }

    do {
      _ = try simulate(tasks, under: .inheritance)
    } catch {
      print(error)
    }
    // The manual ends.
    #expect(printed == blocks("").joined())
  }

  @Test func `the swift blocks are that program, and no other blocks are there`() throws {
    let program = Self.trimmed(blocks("swift").joined())
    let code = Self.trimmed(suite)
    let isCompiled = code.contains("// The manual begins.\n\(program)\n// The manual ends.\n")
    #expect(isCompiled, "\(program)")
    let count = blocks("swift").count + blocks("").count
    #expect(count > 10 && manual.components(separatedBy: "```").count == 2 * count + 1)
  }

  @Test func `every test that the manual names is there`() {
    let names = manual.matches(of: /\(`([^`]+)`\)/).map { $0.1.replacing("\n", with: " ") }
    #expect(names.count > 5)
    for name in names {
      let isThere = suite.contains("func `\(name)`(")
      #expect(isThere, "\(name)")
    }
  }
}
