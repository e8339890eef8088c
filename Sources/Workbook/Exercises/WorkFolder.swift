import Foundation

/// A folder of its own for one verification; it is not the learner's, so nothing in it can be lost.
struct WorkFolder: Sendable {
  let url: URL

  var exercise: URL { url.appending(path: "Exercise.swift") }
  var check: URL { url.appending(path: "Check.swift") }
  /// How the compiler reads the answer.
  var syntax: URL { url.appending(path: "Syntax.txt") }
  /// What the answer was compiled to, and what the check needs to know of it.
  var object: URL { url.appending(path: "Exercise.o") }
  var module: URL { url.appending(path: "\(ExerciseToolchain.answer).swiftmodule") }
  /// What the check was compiled to.
  var checkObject: URL { url.appending(path: "Check.o") }

  init(in temporary: URL = FileManager.default.temporaryDirectory) throws {
    Self.removeAbandoned
    url = temporary.resolvingSymlinksInPath()
      .appending(path: "workbook-\(getpid())-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  /// The process that has made a folder of this name; nil if it is none of ours.
  static func owner(of name: String) -> pid_t? {
    guard let match = name.wholeMatch(of: /workbook-([0-9]+)-[0-9A-F]{8}/) else { return nil }
    return pid_t(match.1)
  }

  /// Removes, once, what programs that were killed have left.
  private static let removeAbandoned: Void = {
    let temporary = FileManager.default.temporaryDirectory
    for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? [] {
      guard let process = owner(of: name), kill(process, 0) == -1, errno == ESRCH else { continue }
      try? FileManager.default.removeItem(at: temporary.appending(path: name))
    }
  }()
}

/// What an exercise's folder held before an answer was run.
struct FolderSnapshot {
  private let files: [(url: URL, data: Data)]

  init(_ folder: URL) throws {
    let found = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    files = try (found?.compactMap { $0 as? URL } ?? []).filter {
      try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
    }.map { ($0, try Data(contentsOf: $0)) }
  }

  /// Puts back what is no longer there, and what verdicts rest on if it has changed; keeps what stood in its place.
  ///
  /// Other files that have changed, the learner or an author may have saved meanwhile.
  func restore() throws -> [(file: URL, kept: URL?)] {
    try files.compactMap { file in
      let now = try? Data(contentsOf: file.url)
      let isKept = ["Check.swift", "Start.swift", "Solution.swift"]
        .contains(file.url.lastPathComponent)
      guard now != file.data, now == nil || isKept else { return nil }
      let name = file.url.deletingPathExtension().lastPathComponent
      let kept = now.map { _ in
        file.url.firstFree { "\(name).kept-\($0).\(file.url.pathExtension)" }
      }
      if let kept { try now!.write(to: kept, options: .atomic) }
      try FileManager.default.createDirectory(
        at: file.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try file.data.write(to: file.url, options: .atomic)
      return (file.url, kept)
    }
  }
}
