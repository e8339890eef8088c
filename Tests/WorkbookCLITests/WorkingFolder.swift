#if os(Linux)
  import Foundation
  import Workbook

  /// A folder below the temporary one that `workbook` is run in, with copies of what it needs of the package's.
  final class WorkingFolder: Sendable {
    let root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "course-\(UUID().uuidString)")

    /// - Parameter paths: Which of the package's files and folders are copied.
    init(copying paths: [String]) throws {
      let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      for path in paths {
        let copy = root.appending(path: path)
        try FileManager.default.createDirectory(
          at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: package.appending(path: path), to: copy)
      }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func read(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    func workbook(_ arguments: String...) async throws -> ChildProcess.Result {
      try await workbook(arguments)
    }

    func workbook(_ arguments: [String]) async throws -> ChildProcess.Result {
      try await ChildProcess.run(
        "/bin/sh",
        ["-c", #"cd "$0" && exec "$@""#, root.path, ChildProcess.product("workbook")] + arguments)
    }
  }
#endif
