import Foundation
import Testing

@testable import Workbook

/// Answers that are right, wrong, and refused.
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

  @Test func `a folder of a verification is told from those of others`() throws {
    let folder = try WorkFolder()
    defer { folder.remove() }
    #expect(WorkFolder.owner(of: folder.url.lastPathComponent) == getpid())
    // An identifier may begin with a number, and then it is no process.
    #expect(WorkFolder.owner(of: "workbook-12141633-CEB0-46D4-96F7-B850BD2576A3") == nil)
    #expect(WorkFolder.owner(of: "workbook-7") == nil)
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
    var limits = Supervision.Limits()
    (limits.processorTime, limits.standstill) = (2, 3)
    func verdict(_ code: String) async throws -> Verdict {
      try await sample.verdict(
        on: """
          import Dispatch

          func sum(_ first: Int, _ second: Int) async -> Int {
            if first == 1 { \(code) }
            return first + second
          }
          """, limits: limits)
    }
    let endless = try await verdict("while true {}")
    #expect(endless.kind == .stopped)
    #expect(
      endless.summary
        == "it does not end: it was stopped after 2 s of processor time, while “one and two is three” was checked"
    )
    #expect(endless.details.last == "· one and two is three (not checked)")
    let waiting = try await verdict("DispatchSemaphore(value: 0).wait()")
    #expect(waiting.kind == .stopped)
    #expect(
      waiting.summary
        == "it waits for ever: nothing has moved for 3 s, while “one and two is three” was checked"
    )
    let polling = try await sample.verdict(
      on: """
        func sum(_ first: Int, _ second: Int) async -> Int {
          while !Task.isCancelled { await Task.yield() }
          return first + second
        }
        """, limits: limits)
    #expect(polling.kind == .rejected)
    #expect(polling.details.contains { $0.contains("Do not ask again and again") })
  }

  @Test func `the limit on processor time is for each claim, and not for all`() async throws {
    let sample = try SampleExercise()
    var limits = Supervision.Limits()
    limits.processorTime = 1
    // Six tenths of a second in each of the two claims.
    let verdict = try await sample.verdict(
      on: """
        import Foundation
        import Synchronization

        let hasBurnt = Mutex<Set<Int>>([])

        func sum(_ first: Int, _ second: Int) async -> Int {
          if hasBurnt.withLock({ $0.insert(first).inserted }) {
            let end = clock() + 600_000
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

  @Test func `one check serves answers that declare the same, and no others`() async throws {
    let sample = try SampleExercise()
    let verifier = try Verifier(
      sample.exercises, limits: Supervision.Limits(), temporary: sample.temporary)
    func verdict(_ body: String, isSolved: Bool) async throws {
      try sample.write(
        "func sum(_ first: Int, _ second: Int) async -> \(body)", to: "Exercise.swift")
      let verdict = try await verifier.verify(sample.exercise)
      #expect(verdict.isSolved == isSolved, "\(verdict)")
    }
    try await verdict("Int { first - second }", isSolved: false)
    try await verdict("Int { first + second }", isSolved: true)
    try await verdict("Int { second - first }", isSolved: false)
    #expect(verifier.compiledChecks.count == 1)
    try await verdict("String { \"\\(first + second)\" }", isSolved: false)
    try await verdict("Int { second + first }", isSolved: true)
  }

  @Test func `a compiler that does not end is ended by its processor time`() async throws {
    let sample = try SampleExercise()
    // The type checker gives up on it after some nine seconds.
    let hard =
      "let hard = { $0 + $1 * 2 - $0 / 3.0 + Double($1) - -$0 + [$1].reduce(1, +) * 2 - ($1 - 2.5) }"
    try sample.write(SampleExercise.solution + hard, to: "Exercise.swift")
    let verdict = try await Verifier(
      sample.exercises, limits: Supervision.Limits(), compilerLimit: 1,
      temporary: sample.temporary
    ).verify(sample.exercise)
    #expect(verdict.kind == .refused)
    #expect(verdict.summary.hasPrefix("the compiler was ended: it took more than 1 s"))
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
}
