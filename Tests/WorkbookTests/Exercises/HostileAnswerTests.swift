import Foundation
import Testing

@testable import Workbook

/// Answers that do harm, by mistake or on purpose.
@Suite(
  .serialized, .timeLimit(.minutes(30)),
  .enabled(if: !ThreadSanitizer.isActive, "see VerifierTests"))
struct HostileAnswerTests {
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
      "does not hold; and then it does not end: it was stopped after 8 s of processor time"),
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
    var limits = Supervision.Limits()
    limits.processorTime = 8
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
