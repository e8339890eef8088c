import Foundation
import PlainPrograms
import Testing

@testable import Interleaving

/// What libraries and the system keep is seen to be used.
@Suite(.enabled(if: !SwiftRuntime.isSanitized), .timeLimit(.minutes(30))) struct LibraryTests {
  static let strategies: [Strategy] = [.exhaustive, .reduced(assuming: .actorIsolation)]

  /// Runs a body with a folder of its own, whose name is the same in each execution.
  private func withFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
    let folder = URL.temporaryDirectory.appending(path: "libraries-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
  }

  @Test(arguments: LibraryProgram.all + LibraryProgram.unguarded + [.blocksOfLoop], strategies)
  func `every outcome is explored`(program: LibraryProgram, strategy: Strategy) async throws {
    try await withFolder { folder in
      let exploration = await explore(strategy) { try await program.run(folder) }
      #expect(Set(exploration.outcomes.keys) == program.outcomes, "\(exploration)")
      #expect(exploration.failures.isEmpty, "\(exploration)")
      #expect(exploration.completeness == .complete(assuming: []))
    }
  }

  @Test(arguments: LibraryProgram.all + [.blocksOfLoop])
  func `each outcome can be replayed`(program: LibraryProgram) async throws {
    try await withFolder { folder in
      let exploration = await explore(.reduced(assuming: .actorIsolation)) {
        try await program.run(folder)
      }
      for (outcome, occurrence) in exploration.outcomes {
        let replayed = try await replay("\(occurrence.schedule)") { try await program.run(folder) }
        #expect(Set(replayed.outcomes.keys) == [outcome] && replayed.completeness == .replayed)
      }
    }
  }

  @Test func `the environment is seen to be used`() async {
    await #expect(processExitsWith: .success) {
      for strategy in LibraryTests.strategies {
        let exploration = await explore(strategy) {
          try await LibraryProgram.environment.run(URL.temporaryDirectory)
        }
        #expect(Set(exploration.outcomes.keys) == LibraryProgram.environment.outcomes)
        #expect(exploration.failures.isEmpty && exploration.completeness == .complete(assuming: []))
      }
    }
  }

  @Test func `what others do not see adds no schedule`() async throws {
    try await withFolder { folder in
      let exploration = await explore { try await LibraryProgram.unseen.run(folder) }
      #expect(Set(exploration.outcomes.keys) == LibraryProgram.unseen.outcomes, "\(exploration)")
      let empty = await explore {
        async let first: Void = {}()
        async let second: Void = {}()
        _ = await (first, second)
      }
      #expect(exploration.schedules == empty.schedules, "\(exploration)")
    }
  }

  @Test func `a trace says what is used, and where`() async throws {
    try await withFolder { folder in
      func trace(_ name: String) async throws -> String {
        let program = try #require(LibraryProgram.all.first { $0.name == name })
        let exploration = await explore(allowing: { $0 == program.outcomes.max() }) {
          try await program.run(folder)
        }
        return "\(try #require(exploration.failures.first))"
      }
      let cache = try await trace("get from a cache, put the value and one")
      #expect(cache.contains("calls NSCache.object,"), "\(cache)")
      #expect(cache.contains("calls NSCache.setObject,"), "\(cache)")
      #expect(cache.contains("Lines are of Libraries.swift"), "\(cache)")
      let file = try await trace("a file as a lock")
      for deed in ["opens lock,", "removes lock,"] {
        #expect(file.contains(deed), "\(file)")
      }
    }
  }

  @Test func `in a folder of a random name nothing is left out, and that is said`() async throws {
    try await withFolder { folder in
      let program = LibraryProgram.inRandomFolder
      let exploration = await explore(.reduced(assuming: .actorIsolation)) {
        try await program.run(folder)
      }
      #expect(Set(exploration.outcomes.keys) == program.outcomes, "\(exploration)")
      #expect(exploration.completeness == .complete(assuming: []))
      #expect(
        exploration.advice
          == "Every schedule is run, since a file has another name in each execution")
    }
  }

  /// As Limits.md says it.
  @Test func `what is written by stdio is not seen`() async throws {
    try await withFolder { folder in
      let program = LibraryProgram.throughStreams
      let exploration = await explore { try await program.run(folder) }
      #expect(exploration.isComplete && exploration.outcomes.keys.sorted() == ["2"])
    }
  }

  @Test(arguments: LibraryProgram.all)
  func `what real threads show is among them`(program: LibraryProgram) async throws {
    let wanted = ProcessInfo.processInfo.environment["REAL_RUNS"].flatMap(Int.init)
    try await withFolder { folder in
      var seen: Set<String> = []
      for _ in 0..<(wanted ?? 50) { seen.insert(try await program.run(folder)) }
      #expect(seen.isSubset(of: program.outcomes))
      let unseen = program.outcomes.subtracting(seen)
      if wanted != nil, !unseen.isEmpty { print("\(program): not seen: \(unseen.sorted())") }
    }
  }
}
