import Foundation
import Testing

/// The engine's files know of one another in one direction only.
@Suite struct StructureTests {
  @Test func `no file names a type of a file that names it back`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Interleaving")
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    let files = try paths.map { path in
      try File(path, String(contentsOf: folder.appending(path: path), encoding: .utf8))
    }
    #expect(files.count > 40)
    let owners = Dictionary(
      files.flatMap { file in file.types.map { ($0, file.path) } }, uniquingKeysWith: { $1 })
    let edges = Dictionary(
      uniqueKeysWithValues: files.map { file in
        (file.path, Set(file.words.compactMap { owners[$0] }).subtracting([file.path]))
      })
    #expect(edges.values.map(\.count).reduce(0, +) > 100)
    for start in edges.keys.sorted() {
      var reached: Set<String> = []
      var open = Array(edges[start]!)
      while let next = open.popLast() {
        if reached.insert(next).inserted { open += edges[next]! }
      }
      #expect(!reached.contains(start), "\(start) is named by a file that it names")
    }
  }

  private struct File {
    let path: String
    /// What it declares for others.
    let types: Set<String>
    /// What it names, but for what it declares itself within another type.
    let words: Set<String>

    init(_ path: String, _ text: String) {
      self.path = path
      let code = text.replacing(#/\/\/[^\n]*/#, with: "")
        .replacing(#/"(\\.|[^"\\\n])*"/#, with: "")
      let outer =
        #/(?m)^(?:(?:public|package|final) )*(?:struct|class|enum|protocol|typealias) (\w+)/#
      let inner = #/(?m)^ +(?:\w+(?:\(\w+\))? )*(?:struct|class|enum|protocol|typealias) (\w+)/#
      types = Set(code.matches(of: outer).map { String($0.output.1) })
      // Of `Agenda.Candidate` the first word; what begins with a dot is a member.
      words = Set(code.matches(of: #/[\w.]+/#).map { String($0.output.prefix { $0 != "." }) })
        .subtracting(code.matches(of: inner).map { String($0.output.1) })
    }
  }
}
