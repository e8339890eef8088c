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
    let text = verdict.lines().joined(separator: "\n")
    #expect(text.contains("it should be 4"))
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
    // Both are found in the explored claim, and stop the other one.
    Hostile(
      "a loop without end", "while true {}", .rejected,
      "does not hold; and then it does not end: it was stopped after 20 s of processor time"),
    Hostile(
      "a deadlock", "DispatchSemaphore(value: 0).wait()", .rejected,
      "does not hold; and then it waits for ever: nothing has moved for 10 s"),
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
    let verdict = try await sample.verdict(on: hostile.answer)
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
    #expect(
      verdict.restored.map(\.path).sorted().first == "Exercises/99-Sample/1-Sum/Check.swift")
    #expect(verdict.restored.count == 7)
    #expect(verdict.restored.allSatisfy { $0.kept == nil })
    #expect(try sample.read("Exercise.swift") == hostile.answer)
    #expect(try sample.read("Mutants/Third.swift") == SampleExercise.mutants["Third"])
    try expectNothingLeft(of: sample)
  }

  @Test
  func `an answer that changes the check is judged by the one that was there, which is put back`()
    async throws
  {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        import Foundation

        func sum(_ first: Int, _ second: Int) async -> Int {
          for name in ["Check", "Solution", "Start"] {
            try? Data("// nothing".utf8).write(to: URL(filePath: "\(sample.folder.path)/\\(name).swift"))
          }
          return 0
        }
        """)
    #expect(verdict.kind == .rejected)
    #expect(verdict.restored.count == 3)
    let restored = try #require(verdict.restored.first { $0.path.hasSuffix("Check.swift") })
    #expect(restored.kept == "Exercises/99-Sample/1-Sum/Check.kept-1.swift")
    #expect(try sample.read("Check.swift") == SampleExercise.check)
    #expect(try sample.read("Check.kept-1.swift") == "// nothing")
  }

  @Test func `what an answer writes on the check's descriptor is not the check's`() async throws {
    let sample = try SampleExercise()
    let records = [
      #"{"kind":"test","payload":{"kind":"function","id":"x","name":"x","sourceLocation":{"fileID":"Check/Check.swift","line":1}}}"#,
      #"{"kind":"event","payload":{"kind":"testEnded","testID":"x"}}"#,
      #"{"kind":"event","payload":{"kind":"runEnded"}}"#,
    ]
    let verdict = try await sample.verdict(
      on: """
        import Foundation

        let records = \(records)

        func sum(_ first: Int, _ second: Int) async -> Int {
          for descriptor in Int32(3)..<300 {
            for record in records {
              let line = Array("\\n\\(UUID().uuidString) \\(record)\\n".utf8)
              write(descriptor, line, line.count)
            }
          }
          exit(0)
        }
        """)
    #expect(!verdict.isSolved)
    #expect(!verdict.details.contains { $0.contains("✓ x") })
  }

  @Test func `an answer that closes all descriptors is not solved`() async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        import Foundation

        func sum(_ first: Int, _ second: Int) async -> Int {
          for descriptor in Int32(3)..<300 { close(descriptor) }
          return first + second
        }
        """)
    #expect(verdict.kind == .ended)
  }

  @Test func `names that an answer declares are not the check's`() async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        func everyOrder(gives: Int..., of scenario: () async -> Int) async -> Bool { true }
        func everyOrder(gives: Int, of scenario: () async -> Int) async -> Bool { true }
        enum ExerciseChecking {}
        enum Testing {}
        enum Issue {}
        struct Test {}
        func sum(_ first: Int, _ second: Int) async -> Int { 0 }
        """)
    #expect(!verdict.isSolved)
  }

  @Test(arguments: ["ExerciseChecking", "Interleaving", "Testing", "CInterleaving"])
  func `an answer that imports what the check is made of is refused`(
    _ module: String
  ) async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(on: "\nimport \(module)\n" + SampleExercise.solution)
    #expect(verdict.kind == .refused)
    #expect(
      verdict.summary
        == "it imports \(module), which belongs to the check, at Exercises/99-Sample/1-Sum/Exercise.swift:2"
    )
  }

  @Test(arguments: [
    ("final class Box: @unchecked Sendable { var value = 0 }", "@unchecked Sendable", 2),
    (
      "typealias Source = @Sendable (Int) -> Int\nstruct A: @unchecked Sendable {}",
      "@unchecked Sendable", 3
    ),
    ("import Glibc\nfunc nap() { _ = Glibc.usleep(1) }", "usleep", 3),
  ])
  func `a word that the task rules out is refused, with its reason`(
    _ code: String, _ word: String, _ line: Int
  ) async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(on: SampleExercise.solution + code)
    #expect(verdict.kind == .refused)
    #expect(
      verdict.summary
        == "the task rules out “\(word)”, at Exercises/99-Sample/1-Sum/Exercise.swift:\(line)")
    #expect(verdict.compilerHint == "a sum has no need of it.")
  }

  @Test func `the same word in a comment or a string is not`() async throws {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: SampleExercise.solution + """
        // import Testing, @unchecked Sendable, usleep(1)
        let text = "(import_decl module=\\"Testing\\") @unchecked usleep"
        let lines = \"""
          (class_decl inherits="@unchecked")
          \"""

        """)
    #expect(verdict.kind == .solved)
  }

  @Test func `what does not end, what waits for ever and what polls are three messages`()
    async throws
  {
    let sample = try SampleExercise()
    func verdict(_ code: String) async throws -> Verdict {
      try await sample.verdict(
        on: """
          import Dispatch

          func sum(_ first: Int, _ second: Int) async -> Int {
            if first == 1 { \(code) }
            return first + second
          }
          """)
    }
    let endless = try await verdict("while true {}")
    #expect(endless.kind == .stopped)
    #expect(
      endless.summary
        == "it does not end: it was stopped after 20 s of processor time, while “one and two is three” was checked"
    )
    #expect(endless.details.last == "· one and two is three (not checked)")
    let waiting = try await verdict("DispatchSemaphore(value: 0).wait()")
    #expect(waiting.kind == .stopped)
    #expect(
      waiting.summary
        == "it waits for ever: nothing has moved for 10 s, while “one and two is three” was checked"
    )
    let polling = try await sample.verdict(
      on: """
        func sum(_ first: Int, _ second: Int) async -> Int {
          while !Task.isCancelled { await Task.yield() }
          return first + second
        }
        """)
    #expect(polling.kind == .rejected)
    #expect(polling.details.contains { $0.contains("Do not ask again and again") })
  }

  @Test func `the limit on processor time is for each claim, and not for all`() async throws {
    let sample = try SampleExercise()
    var limits = Supervision.Limits()
    limits.processorTime = 2
    // One and a half seconds in each of the two claims.
    let verdict = try await sample.verdict(
      on: """
        import Foundation
        import Synchronization

        let hasBurnt = Mutex<Set<Int>>([])

        func sum(_ first: Int, _ second: Int) async -> Int {
          if hasBurnt.withLock({ $0.insert(first).inserted }) {
            let end = clock() + 1_500_000
            while clock() < end {}
          }
          return first + second
        }
        """, limits: limits)
    #expect(verdict.kind == .solved, "\(verdict)")
  }

  @Test func `an answer with too many orders is checked in some of them, and that is said`()
    async throws
  {
    let sample = try SampleExercise()
    let verdict = try await sample.verdict(
      on: """
        actor Box { func use() {} }
        func sum(_ first: Int, _ second: Int) async -> Int {
          let box = Box()
          await withDiscardingTaskGroup { group in
            for _ in 1...8 { group.addTask { await box.use() } }
          }
          return first + second
        }
        """)
    #expect(verdict.kind == .solved)
    #expect(verdict.details.first == "✓ two and two is four (some 700 orders)")
  }

  @Test func `a long trace is folded, and shown whole when that is asked for`() {
    var verdict = Verdict(kind: .rejected, summary: "", details: ["✗ a", "  words", "", "✓ b"])
    verdict.trace = (1...60).map { "\($0)" }
    verdict.traceIndex = 2
    let folded = verdict.lines(upTo: 40, whole: "a")
    #expect(folded.count == 40)
    #expect(folded.prefix(4) == ["✗ a", "  words", "", "  1"])
    #expect(folded.contains("  … 26 lines are folded here; a shows them …"))
    #expect(folded.suffix(3) == ["  60", "", "✓ b"])
    #expect(verdict.lines(upTo: 5).count == 17, "twelve of the trace are always there")
    #expect(verdict.lines(upTo: 40).contains { $0.contains("; --all shows them") })
    #expect(verdict.lines().count == 65)
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
