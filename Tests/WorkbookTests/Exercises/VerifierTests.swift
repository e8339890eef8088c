import Foundation
import Testing

@testable import Workbook

/// Answers that are right, wrong, refused, and hostile.
@Suite(
  .serialized, .timeLimit(.minutes(30)),
  .enabled(
    if: !ThreadSanitizer.isActive, "the sanitizer needs more memory than an answer may reserve"))
struct VerifierTests {
  @Test func `a right answer solves it, one with a TODO left does not`() async throws {
    let sample = try SampleExercise()
    let solved = try await sample.verdict(on: SampleExercise.solution)
    #expect(solved.kind == .solved)
    #expect(solved.details == ["✓ two and two is four", "✓ one and two is three"])
    let unfinished = try await sample.verdict(on: SampleExercise.solution + "// TODO: more\n")
    #expect(unfinished.kind == .todo)
    #expect(!unfinished.isSolved)
  }

  @Test func `a wrong answer is told what was expected and what happened`() async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: "func sum(_ first: Int, _ second: Int) async -> Int { print(7); return first * 2 }")
    #expect(verdict.kind == .rejected)
    #expect(verdict.summary == "not yet: 1 of 2 claims does not hold")
    #expect(verdict.details.first == "✓ two and two is four")
    #expect(verdict.details.contains("✗ one and two is three"))
    #expect(verdict.details.joined(separator: "\n").contains("== 3"))
    #expect(verdict.printed == Array(repeating: "7", count: verdict.printed.count))
    #expect(!verdict.printed.isEmpty)
  }

  @Test func `a schedule that fails is shown with its trace, without the line for a replay`()
    async throws
  {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        actor Box {
          var value = 0
          func add(_ number: Int) async {
            let old = value
            await Task.yield()
            value = old + number
          }
        }
        func sum(_ first: Int, _ second: Int) async -> Int {
          let box = Box()
          async let one: Void = box.add(first)
          async let two: Void = box.add(second)
          _ = await (one, two)
          return await box.value
        }
        """)
    #expect(verdict.kind == .rejected)
    let text = verdict.details.joined(separator: "\n")
    #expect(text.contains("on Box"))
    #expect(text.contains("cause: "))
    #expect(!text.contains("replay("))
  }

  @Test func `a dictionary gives its elements in the same order to every answer`() async throws {
    let sample = try SampleExercise()
    let names = "(1...20).map(String.init)"
    let answer = """
      let order = Dictionary(uniqueKeysWithValues: \(names).map { ($0, true) }).keys.joined(separator: " ")
      func sum(_ first: Int, _ second: Int) async -> Int {
        print(order)
        return first + second
      }
      """
    let first = try await sample.verdict(on: answer)
    #expect(first.isSolved)
    #expect(Set(first.printed).count == 1)
    #expect(try await sample.verdict(on: answer).printed.first == first.printed.first)
  }

  @Test func `the compiler's errors name the learner's file, with the hint that fits`() async throws
  {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(on: SampleExercise.mutants["Third"]!)
    #expect(verdict.kind == .refused)
    #expect(
      verdict.details.contains {
        $0.hasPrefix("Exercises/99-Sample/1-Sum/Exercise.swift:1:")
          && $0.hasSuffix("error: cannot find 'third' in scope")
      })
    #expect(verdict.compilerHint == "there are two numbers only.")
  }

  @Test func `an answer that has another shape than the check asks for is told so`() async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(on: "func total() {}")
    #expect(verdict.kind == .refused)
    #expect(verdict.summary == "the check does not fit it: keep the names that the task says")
    #expect(verdict.details.contains { $0.contains("Check.swift:") })
  }

  // MARK: Hostile answers

  struct Hostile: Sendable, CustomTestStringConvertible {
    let name: String
    let code: String
    let kind: Verdict.Kind
    let summary: String
    var testDescription: String { name }

    init(_ name: String, _ code: String, _ kind: Verdict.Kind, _ summary: String) {
      (self.name, self.code, self.kind, self.summary) = (name, code, kind, summary)
    }

    /// A right answer that does harm first.
    var answer: String {
      """
      import Dispatch
      import Foundation

      func sum(_ first: Int, _ second: Int) async -> Int {
        harm()
        return first + second
      }

      func harm() {
        \(code)
      }
      """
    }
  }

  /// Code that runs on a thread that no exploration knows, while the answer waits.
  private static func elsewhere(_ code: String) -> String {
    "DispatchQueue.global().async { \(code) }\nDispatchSemaphore(value: 0).wait()"
  }

  static let hostile = [
    Hostile(
      "a loop without end", "while true {}", .stopped, "it was stopped after 3 s of processor time"),
    Hostile(
      "a deadlock", "DispatchSemaphore(value: 0).wait()", .stopped,
      "it was stopped after 3 s: it waits"),
    // In the explored claim alone a trap would be a failure like others.
    Hostile("a trap", elsewhere(#"fatalError("no")"#), .ended, "it crashed"),
    Hostile(
      "exit(0) before the check", elsewhere("exit(0)"), .ended,
      "with status 0 before the check was over"),
    Hostile(
      "a hundred child processes that outlive it",
      """
      for _ in 0..<50 {
        var id: pid_t = 0
        let words: [String] = ["sh", "-c", "setsid sleep 1234567 & sleep 1234567 &"]
        posix_spawn(&id, "/bin/sh", nil, nil, words.map { strdup($0) } + [nil], nil)
        waitpid(id, nil, 0)
      }
      """, .stopped, "processes behind, which were ended"),
    Hostile(
      "a gigabyte of output",
      #"for _ in 0..<1_000 { print(String(repeating: "x", count: 1_000_000)) }"#, .stopped,
      "it was stopped after printing 10 MB"),
    Hostile(
      "a request for ten gigabytes",
      "UnsafeMutableRawPointer.allocate(byteCount: 10 << 30, alignment: 16).storeBytes(of: 1, as: Int.self)",
      .ended, "it crashed"),
    Hostile(
      "two gigabytes, bit by bit",
      """
      var blocks: [[UInt8]] = []
      for _ in 0..<200 { blocks.append([UInt8](repeating: 1, count: 10 << 20)) }
      """, .stopped, "it was stopped with 1024 MB of memory in use"),
    Hostile(
      "SIGKILL to its parent", "kill(getppid(), SIGKILL)", .stopped, "signalled another process"),
    Hostile(
      "SIGSTOP to its parent", "kill(getppid(), SIGSTOP)", .stopped, "signalled another process"),
    Hostile("SIGTERM to all", "kill(-1, SIGTERM)", .stopped, "signalled another process"),
    Hostile("SIGKILL to its group", "kill(0, SIGKILL)", .stopped, "signalled another process"),
    Hostile("SIGKILL to itself", "kill(getpid(), SIGKILL)", .ended, "it crashed (SIGKILL)"),
  ]

  @Test(arguments: hostile)
  func `a hostile answer is stopped, explained, and leaves nothing behind`(
    _ hostile: Hostile
  ) async throws {
    let sample = try SampleExercise()
    var limits = Supervision.Limits()
    if hostile.summary.contains("3 s of processor time") { limits.processorTime = 3 }
    if hostile.summary.contains("3 s: it waits") { limits.time = 3 }
    let verdict = try await sample.verdict(on: hostile.answer, limits: limits)
    #expect(verdict.kind == hostile.kind, "\(verdict)")
    #expect(verdict.summary.contains(hostile.summary), "\(verdict)")
    #expect(try sample.read("Exercise.swift") == hostile.answer)
    try expectNothingLeft(of: sample)
  }

  /// Where a system cannot forbid signals, the supervisor may be lost.
  @Test(arguments: [SIGKILL, SIGTERM, SIGSTOP])
  func `the loss of the supervisor is a verdict, and its children end`(
    _ signal: Int32
  ) async throws {
    let sample = try SampleExercise()
    var limits = Supervision.Limits()
    limits.time = 2
    let supervision = Supervision(
      program: "/bin/sh",
      arguments: [
        "-c", "sleep 1234567 & setsid sleep 1234567 & kill -\(signal) $PPID; sleep 1234567",
      ],
      folder: sample.temporary, limits: limits, isConfined: false)
    guard case .lost = try await supervision(guardedFor: 1) else {
      Issue.record("the supervisor was not lost")
      return
    }
    try expectNothingLeft(of: sample)
  }

  @Test func `an answer that prints the success line is judged by the check`() async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        func sum(_ first: Int, _ second: Int) async -> Int {
          print("✓ sample/sum: solved")
          print("✔ Test run with 2 tests passed")
          print(#"{"kind":"event","payload":{"kind":"runEnded"},"version":0}"#)
          return 0
        }
        """)
    #expect(verdict.kind == .rejected)
  }

  @Test func `what an answer prints is shown in short, and without control characters`()
    async throws
  {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        func sum(_ first: Int, _ second: Int) async -> Int {
          if first == 1 {
            print(String(repeating: "\\u{1}", count: 3_000_000))
            for line in 1...30 { print("\\u{1B}[31mline", line, String(repeating: "x", count: 300)) }
          }
          return first + second
        }
        """)
    #expect(verdict.kind == .solved)
    #expect(verdict.printed.count == 20)
    #expect(verdict.printed.last?.hasPrefix("[31mline 30 xxx") == true)
    #expect(verdict.printed.allSatisfy { $0.count <= 200 })
  }

  @Test func `an answer that deletes files gets them back`() async throws {
    let sample = try SampleExercise()
    let hostile = Hostile(
      "",
      """
      let files = FileManager.default
      for path in [#filePath, ".", "\(sample.folder.path)"] {
        try? files.removeItem(atPath: path)
      }
      \(Self.elsewhere("exit(1)"))
      """, .ended, "")
    let verdict = try await sample.verdict(on: hostile.answer)
    #expect(verdict.kind == .ended)
    #expect(verdict.restored.sorted().first == "Exercises/99-Sample/1-Sum/Check.swift")
    #expect(verdict.restored.count == 7)
    #expect(try sample.read("Exercise.swift") == hostile.answer)
    #expect(try sample.read("Mutants/Third.swift") == SampleExercise.mutants["Third"])
    try expectNothingLeft(of: sample)
  }

  @Test(arguments: [("", "is empty"), (" \n\t\n", "is empty"), ("\u{0}\u{1}", "is no text")])
  func `a file without a program in it is told`(_ text: String, _ word: String) async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(on: text)
    #expect(verdict.kind == .unreadable)
    #expect(verdict.summary.contains(word))
    #expect(verdict.summary.contains("Exercises/99-Sample/1-Sum/Exercise.swift"))
    #expect(verdict.summary.contains("workbook exercise reset sample/sum"))
  }

  @Test func `bytes that are no text are told`() async throws {
    let sample = try SampleExercise()
    try Data([0xff, 0xfe, 0x80, 0x00]).write(to: sample.exercise.answer)
    let verdict = try await Verifier(sample.exercises).verify(sample.exercise)
    #expect(verdict.kind == .unreadable)
    #expect(verdict.summary.contains("is no text"))
  }

  /// No process of an answer is alive, and its work folder is gone.
  private func expectNothingLeft(of sample: SampleExercise) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
      let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
      return words?.contains("1234567") == true || words?.contains(sample.root.path) == true
    }
    #expect(left == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: sample.temporary.path) == [])
  }
}
