import Foundation
import Testing

@testable import Workbook

/// What is solved is kept, whatever happens to the program or the file.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ProgressTests {
  @Test func `what was written is read, and a new folder has none`() throws {
    let sample = try SampleExercise()
    let progress = Progress(in: sample.root)
    #expect(try progress.read() == Progress.Record())
    let date = Date(timeIntervalSince1970: 1_000_000)
    try progress.update { $0.solved["a/b"] = date }
    try progress.update { $0.hints["a/c"] = 2 }
    #expect(try progress.read().solved == ["a/b": date])
    #expect(try progress.read().hints == ["a/c": 2])
  }

  @Test func `changes at once are all kept`() async throws {
    let sample = try SampleExercise()
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          _ = try? Progress(in: sample.root).update { $0.hints["\(number)"] = number }
        }
      }
    }
    #expect(try Progress(in: sample.root).read().hints.count == 100)
  }

  @Test(arguments: ["", "{", "[]", #"{"version":2,"solved":{},"hints":{}}"#])
  func `a damaged file is set aside`(_ text: String) throws {
    let sample = try SampleExercise()
    let file = sample.root.appending(path: Progress.fileName)
    for number in 1...2 {
      try Data(text.utf8).write(to: file)
      let error = #expect(throws: Progress.Damaged.self) { try Progress(in: sample.root).read() }
      let aside = try #require(error?.aside)
      #expect(aside.lastPathComponent == "\(Progress.fileName).damaged-\(number)")
      #expect(try Data(contentsOf: aside) == Data(text.utf8))
      #expect(try Progress(in: sample.root).read() == Progress.Record())
    }
  }

  #if os(Linux)
    @Test(.enabled(if: !ThreadSanitizer.isActive, "see VerifierTests"))
    func `the program killed at random moments loses nothing`() async throws {
      let sample = try SampleExercise()
      try sample.write(SampleExercise.solution, to: "Exercise.swift")
      #expect(try await sample.workbook("exercise", "verify", "sample/sum").ending == .exited(0))
      var generator = SystemRandomNumberGenerator()
      var written: Set<String> = []
      // So many: MOMENTS sets another number.
      let count = ProcessInfo.processInfo.environment["MOMENTS"].flatMap(Int.init) ?? 30
      for moment in 1...count {
        // Long ones are killed in the compiler, in the check, or while the verdict is written.
        let (command, longest) =
          moment % 5 == 0
          ? ("verify", 1_500_000) : moment % 2 == 0 ? ("reset", 60_000) : ("hint", 60_000)
        if command != "hint" { written.remove(try sample.read("Exercise.swift")) }
        if command == "reset" {
          let answer = "// answer \(moment)\n"
          try sample.write(answer, to: "Exercise.swift")
          written.insert(answer)
        } else if command == "verify" {
          try sample.write(SampleExercise.solution, to: "Exercise.swift")
        }
        let program = Process()
        program.executableURL = URL(filePath: try ChildProcess.product("workbook"))
        program.arguments = ["exercise", command, "sample/sum"]
        program.currentDirectoryURL = sample.root
        program.standardOutput = FileHandle.nullDevice
        program.standardError = FileHandle.nullDevice
        try program.run()
        usleep(UInt32.random(in: 0...UInt32(longest), using: &generator))
        kill(program.processIdentifier, SIGKILL)
        program.waitUntilExit()

        let record = try Progress(in: sample.root).read()
        #expect((record.hints["sample/sum"] ?? 0) <= 3)
        #expect(try !sample.read("Exercise.swift").isEmpty)
        let kept = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path)
          .filter { $0.hasPrefix("Exercise.") }
        let texts = try Set(kept.map { try sample.read($0) })
        // Each answer stands in its place or beside it.
        let current = try sample.read("Exercise.swift")
        #expect(written.subtracting(texts).subtracting([current]).isEmpty)
        written.formIntersection(texts.union([current]))
      }
      #expect(try await sample.workbook("exercise", "list").ending == .exited(0))
    }
  #endif
}
