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

  @Test(arguments: LibraryProgram.all + [.blocksOfLoop], strategies)
  func `every outcome is explored`(program: LibraryProgram, strategy: Strategy) async throws {
    try await withFolder { folder in
      let exploration = await explore(strategy) { try await program.run(folder) }
      #expect(Set(exploration.outcomes.keys) == program.outcomes, "\(exploration)")
      #expect(exploration.failures.isEmpty, "\(exploration)")
      #expect(exploration.completeness == .complete(assuming: []))
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
