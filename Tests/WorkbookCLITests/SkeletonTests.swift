#if os(Linux)
  import Foundation
  import Testing
  import Workbook

  @testable import WorkbookCLI

  /// `workbook new`, in a folder that has what it needs of the package's.
  @Suite(
    .timeLimit(.minutes(30)),
    .enabled(
      if: !ThreadSanitizer.isActive, "the compiler has no part in what the sanitizer looks for")
  )
  struct SkeletonTests {
    private let folder: WorkingFolder
    private let chapter = "Chapters/18-Warmup"

    private var root: URL { folder.root }

    init() throws {
      folder = try WorkingFolder(copying: [
        "Package.swift", "Chapters/Explored.swift", "Sources/WorkbookCLI/Course.swift",
      ])
      try FileManager.default.createDirectory(
        at: folder.root.appending(path: "Exercises"), withIntermediateDirectories: true)
    }

    @Test func `a chapter is begun in its place, and compiles, as it is and as its twin`()
      async throws
    {
      let result = try await folder.workbook("new", "chapter", "18-Warmup")
      #expect(result.ending == .exited(0), "\(result.errors)")
      let lines = try folder.read("Package.swift").split(separator: "\n")
        .filter { $0.hasPrefix("  chapter(\"") }
      #expect(lines.map { $0.prefix(14) } == lines.map { $0.prefix(14) }.sorted())
      #expect(lines.last == #"  chapter("18", "Warmup"),"#)
      let list = try folder.read("Sources/WorkbookCLI/Course.swift")
      #expect(list.contains("import Warmup\n"))
      #expect(list.contains("  .warmup,\n]"))

      let all = ["Explored/Pairs", "Explored/Subjects"].flatMap(swiftFiles)
      try await compile("WarmupExplored", all + ["Explored/StandIns.swift"])
      try await compile("Warmup", all + ["Sources/Chapter.swift"])
      try await compile("WarmupTests", ["Tests/WarmupTests.swift"])
      try await compile("WarmupDemo", ["Demo/main.swift"])
    }

    @Test func `what is there is never written over`() async throws {
      _ = try await folder.workbook("new", "exercise", "01-Queues/9-Late")
      try FileManager.default.createDirectory(
        at: root.appending(path: "\(chapter)/Demo"), withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: root.appending(path: "\(chapter)/Demo/main.swift"))
      let manifest = try folder.read("Package.swift")
      let result = try await folder.workbook("new", "chapter", "18-Warmup")
      #expect(result.ending == .exited(64))
      #expect(
        result.errors
          == "workbook: \(chapter)/Demo/main.swift is there already; nothing was written\n")
      #expect(try folder.read("\(chapter)/Demo/main.swift") == "mine")
      #expect(try folder.read("Package.swift") == manifest)
      #expect(swiftFiles("Sources").isEmpty)
    }

    @Test func `an exercise is begun, and lacks no more than its words`() async throws {
      try FileManager.default.createDirectory(
        at: root.appending(path: chapter), withIntermediateDirectories: true)
      let result = try await folder.workbook("new", "exercise", "18-Warmup/1-FirstDone")
      #expect(result.ending == .exited(0), "\(result.errors)")
      let check = try await folder.workbook("check")
      #expect(check.ending == .exited(1))
      #expect(
        check.output == """
          ✗ warmup/first-done: start, solution and 2 wrong answers judged
              README.md: it says TODO; write what is left out
          1 of 1 exercises not in order: warmup/first-done

          """)
    }

    @Test(arguments: [
      (["new"], "new takes chapter NN-Name, or exercise NN-Chapter/N-Name"),
      (
        ["new", "chapters", "02-Groups"],
        "there is no thing to begin “chapters”; did you mean “chapter”?"
      ),
      (["new", "chapter", "Groups"], "a chapter is called NN-Name, as in 02-Groups, not “Groups”"),
      (["new", "chapter", "01-Groups"], "chapter 01 is 01-Queues"),
      (["new", "chapter", "18-Workbook"], "the package has a module Workbook already"),
      (
        ["new", "exercise", "02-Groups"],
        "an exercise is called NN-Chapter/N-Name, as in 02-Groups/1-FirstDone, not “02-Groups”"
      ),
      (
        ["new", "exercise", "05-Races/1-First"],
        "there is no chapter “05-Races”; did you mean “04-Races”?"
      ),
    ])
    func `wrong use is one line, and nothing is written`(_ arguments: [String], _ line: String)
      async throws
    {
      let files = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
      let result = try await folder.workbook(arguments)
      #expect(result.ending == .exited(64))
      #expect(result.errors == "workbook: \(line)\n")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted() == files)
    }

    // MARK: Helpers

    /// Compiles files of the chapter, as a module that others can import.
    private func compile(_ module: String, _ files: [String]) async throws {
      let build = URL(filePath: try ChildProcess.product("workbook")).deletingLastPathComponent()
      var arguments = [
        "swiftc", "-emit-module", "-o", root.appending(path: "\(module).swiftmodule").path,
        "-swift-version", "6", "-warnings-as-errors", "-enable-testing", "-module-name", module,
        "-I", root.path,
      ]
      for folder in ["Modules", "CInterleaving.build", "CLinux.build", "CStops.build"] {
        arguments += ["-I", build.appending(path: folder).path]
      }
      if !files.contains("Demo/main.swift") { arguments.append("-parse-as-library") }
      arguments += files.map { root.appending(path: "\(chapter)/\($0)").path }
      let result = try await ChildProcess.run("/usr/bin/env", arguments)
      #expect(result.ending == .exited(0), "\(module): \(result.errors)")
    }

    /// The Swift files of one of the chapter's folders, from the chapter's folder on.
    private func swiftFiles(_ folder: String) -> [String] {
      let place = root.appending(path: "\(chapter)/\(folder)").resolvingSymlinksInPath()
      return ((try? FileManager.default.subpathsOfDirectory(atPath: place.path)) ?? [])
        .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }
  }
#endif
