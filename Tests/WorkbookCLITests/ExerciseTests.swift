#if os(Linux)
  import Foundation
  import Testing
  import Workbook

  /// `workbook exercise` as a learner uses it, in a copy of the course's exercises.
  @Suite(
    .serialized, .timeLimit(.minutes(30)),
    .enabled(
      if: !ThreadSanitizer.isActive, "the sanitizer needs more memory than an answer may reserve"))
  struct ExerciseTests {
    private let folder: WorkingFolder
    private let first = "Exercises/01-Queues/1-KeepOrder"
    /// How many exercises there are.
    private let count: Int

    private var root: URL { folder.root }

    init() throws {
      folder = try WorkingFolder(copying: ["Exercises"])
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.root.path)
      count = files.count { $0.hasSuffix("/Start.swift") }
      // The learner of this copy has not begun.
      for file in files where file.hasSuffix("/Exercise.swift") {
        try FileManager.default.removeItem(at: folder.root.appending(path: file))
      }
    }

    @Test func `the README shows what the start of an exercise gets`() async throws {
      let command = "$ swift run workbook exercise verify 4/1"
      let readme = try String(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "../../README.md"), encoding: .utf8)
      let fence = try #require(Markdown(readme).fences.first { $0.lines.first == command })
      let output = try await folder.workbook("exercise", "verify", "4/1").output
      let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0.reversed().drop { $0 == " " }.reversed()) }
      #expect(fence.lines.dropFirst() == lines.reversed().drop { $0.isEmpty }.reversed()[...])
    }

    @Test func `from the first exercise to the second`() async throws {
      let next = try await folder.workbook("exercise")
      #expect(next.ending == .exited(0))
      #expect(next.output.contains("0 of \(count) exercises solved"))
      #expect(next.output.contains("queues/keep-order"))
      #expect(next.output.contains("edit    \(first)/Exercise.swift"))

      let wrong = try await folder.workbook("exercise", "verify")
      #expect(wrong.ending == .exited(1))
      #expect(wrong.output.hasPrefix("✗ queues/keep-order: not yet: "))

      let early = try await folder.workbook("exercise", "solution")
      #expect(early.ending == .exited(1))
      #expect(early.errors.contains("--anyway"))
      let all = try Exercise(root.appending(path: first)).hints.count
      for count in 1...all + 1 {
        let hints = try await folder.workbook("exercise", "hint")
        #expect(hints.output.contains("\n\(min(count, all)). "))
        #expect(!hints.output.contains("\n\(min(count, all) + 1). "))
      }

      try solve()
      let right = try await folder.workbook("exercise", "verify")
      #expect(right.ending == .exited(0))
      #expect(right.output.hasPrefix("✓ queues/keep-order: solved"))
      #expect(right.output.contains("Next: queues/debounce"))
      let list = try await folder.workbook("exercise", "list")
      #expect(list.output.contains("✓ 1/1  queues/keep-order"))
      #expect(list.output.contains("→ 1/2  queues/debounce"))
      #expect(try await folder.workbook("exercise", "solution", "1/1").ending == .exited(0))

      let reset = try await folder.workbook("exercise", "reset", "1/1")
      #expect(reset.output.contains("yours is kept as \(first)/Exercise.kept-1.swift"))
      #expect(try folder.read("\(first)/Exercise.kept-1.swift") == solution)
      #expect(try folder.read("\(first)/Exercise.swift") == folder.read("\(first)/Start.swift"))
    }

    @Test func `a damaged progress file is told and rebuilt from the answers`() async throws {
      try solve()
      try Data("{".utf8).write(to: root.appending(path: ".workbook-progress.json"))
      let list = try await folder.workbook("exercise", "list")
      #expect(list.ending == .exited(0))
      #expect(list.errors.contains(".workbook-progress.json.damaged-1"))
      #expect(list.output.contains("✓ 1/1  queues/keep-order"))
      #expect(list.output.contains("1 of \(count) exercises solved"))
      #expect(try folder.read(".workbook-progress.json.damaged-1") == "{")
    }

    @Test func `with --json a program can read it`() async throws {
      struct Entry: Decodable {
        let exercise, file: String
        let solved: Bool
      }
      struct Verdict: Decodable {
        let exercise, verdict, summary: String
        let solved: Bool
      }
      let list = try await folder.workbook("exercise", "list", "--json").output.split(
        separator: "\n")
      let entries = try list.map { try JSONDecoder().decode(Entry.self, from: Data($0.utf8)) }
      #expect(entries.count == count)
      #expect(entries.allSatisfy { !$0.solved && $0.file.hasSuffix("/Exercise.swift") })
      let output = try await folder.workbook("exercise", "verify", "--json").output
      let verdict = try JSONDecoder().decode(Verdict.self, from: Data(output.utf8))
      #expect(verdict.verdict == "rejected" && !verdict.solved)
    }

    @Test(arguments: [
      (["exercise", "verfy"], "did you mean “verify”?"),
      (["exercise", "verify", "races/lost"], "did you mean “races/lost-update”?"),
      (["exercise", "verify", "a", "b"], "takes no “b”"),
      (["exercise", "list", "a"], "takes no “a”"),
      (["exercise", "hint", "--anyway"], "--anyway goes with exercise solution only"),
      (["exercise", "hint", "--all"], "--all goes with explore and exercise verify only"),
      (["exercise", "audit"], "exercise audit takes files"),
      (["check", "races/lost"], "did you mean “races/lost-update”?"),
    ])
    func `wrong use is told`(_ arguments: [String], _ message: String) async throws {
      let result = try await folder.workbook(arguments)
      #expect(result.ending == .exited(64))
      #expect(result.errors.contains(message))
      #expect(result.errors.split(separator: "\n").count == 1)
    }

    @Test func `a folder without exercises is told`() async throws {
      try FileManager.default.removeItem(at: root.appending(path: "Exercises"))
      let result = try await folder.workbook("exercise")
      #expect(result.ending == .exited(1))
      #expect(result.errors.contains("there is no folder Exercises here or around"))
    }

    @Test func `audit tries answers of a file, and says which get another verdict`() async throws {
      let file = root.appending(path: "answers")
      let start = try folder.read("\(first)/Start.swift").split(
        separator: "\n", omittingEmptySubsequences: false
      ).filter { !$0.contains("TODO") }.joined(separator: "\n")
      try Data(
        """
        //// 1/1 solved: a stream
        \(solution)
        //// queues/keep-order rejected: a task for each event
        \(start)
        """.utf8
      ).write(to: file)
      let right = try await folder.workbook("exercise", "audit", "answers")
      #expect(right.ending == .exited(0), "\(right.output)")
      #expect(right.output.hasSuffix("2 answers, each with its verdict\n"))
      try Data("//// 1/1 solved: a task for each event\n\(start)".utf8).write(to: file)
      let wrong = try await folder.workbook("exercise", "audit", "answers")
      #expect(wrong.ending == .exited(1))
      #expect(wrong.output.contains("✗ queues/keep-order"))
      #expect(wrong.output.contains("    answers:1\n"))
      #expect(wrong.output.hasSuffix("1 of 1 answers with another verdict\n"))
    }

    @Test func `watch verifies when the file is saved, and listens to keys`() async throws {
      let program = Process()
      program.executableURL = URL(filePath: try ChildProcess.product("workbook"))
      program.arguments = ["exercise", "watch"]
      program.currentDirectoryURL = root
      let (keys, output) = (Pipe(), Pipe())
      let input = keys.fileHandleForWriting
      program.standardInput = keys
      program.standardOutput = output
      program.standardError = FileHandle.nullDevice
      try program.run()
      let (pieces, source) = AsyncStream.makeStream(of: Data.self)
      output.fileHandleForReading.readabilityHandler = { handle in
        let data = handle.availableData
        if data.isEmpty { source.finish() } else { source.yield(data) }
      }
      var iterator = pieces.makeAsyncIterator()
      var unread = Data()
      func waitFor(_ text: String) async throws {
        while true {
          if let found = unread.range(of: Data(text.utf8)) {
            unread.removeSubrange(..<found.upperBound)
            return
          }
          guard let piece = await iterator.next() else {
            Issue.record("watch ended before it printed “\(text)”")
            return
          }
          unread += piece
        }
      }
      func press(_ keys: String, andWaitFor text: String) async throws {
        input.write(Data(keys.utf8))
        try await waitFor(text)
      }
      // Nobody has touched the file, so the task is shown.
      try await waitFor("it is verified when you save it")
      try await press("v", andWaitFor: "✗ queues/keep-order")
      try await press("h", andWaitFor: "1. ")
      try await press("x", andWaitFor: "“x” does nothing here; ? shows the keys")
      try await press("?", andWaitFor: "the solution, once you have solved it")
      try await press("s", andWaitFor: "queues/keep-order is not solved yet")
      try await press("l", andWaitFor: "▸ → 1/1  queues/keep-order")
      try await press("j", andWaitFor: "▸   1/2  queues/debounce")
      try await press("k\n", andWaitFor: "it is verified when you save it")

      // A save interrupts the verification of the one before, which would take for ever.
      try save("final class AuditLog: Sendable { init(write: Any) { while true {} } }")
      try save(solution)
      try await waitFor("1 of \(count) solved")
      try await waitFor("✓ queues/keep-order: solved")
      try await press("s", andWaitFor: "input.finish()")
      try await press("r", andWaitFor: "r once more")
      try await press("r", andWaitFor: "yours is kept as \(first)/Exercise.kept-1.swift")
      #expect(try folder.read("\(first)/Exercise.kept-1.swift") == solution)
      try save(solution)
      try await press("", andWaitFor: "✓ queues/keep-order: solved")
      try await press("\n", andWaitFor: "queues/debounce: Search when the typing pauses")

      // q does not wait for the verdict, and leaves no process behind.
      try await press("v", andWaitFor: "watching")
      input.write(Data("q".utf8))
      program.waitUntilExit()
      #expect(program.terminationStatus == 0)
      // They see by themselves that it has ended; the limit guards against one that does not.
      for _ in 1...500 where isAtWork() { try await Task.sleep(for: .milliseconds(20)) }
      #expect(!isAtWork())
    }

    /// Whether some process of this copy of the course is left.
    private func isAtWork() -> Bool {
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return processes.contains { process in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd"))
          == root.resolvingSymlinksInPath().path
      }
    }

    private func save(_ text: String) throws {
      try Data(text.utf8)
        .write(to: root.appending(path: "\(first)/Exercise.swift"), options: .atomic)
    }

    private func solve() throws { try save(solution) }

    /// What solves the first exercise, as a learner would be shown it.
    private var solution: String {
      get throws {
        let exercise = try Exercise(root.appending(path: first))
        return try exercise.text(of: exercise.solution)
      }
    }
  }
#endif
