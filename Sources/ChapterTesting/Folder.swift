public import Foundation
import Testing

/// Makes a folder that is there while a body runs.
///
/// - Parameters:
///   - isolation: The caller's actor, taken by itself.
///   - body: Is given the folder, which is empty and nobody else's.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or that no folder could be made.
public func withFolder<Result>(
  isolation: isolated (any Actor)? = #isolation, _ body: (URL) async throws -> Result
) async throws -> Result {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  return try await body(URL(filePath: folder.path, directoryHint: .notDirectory))
}

/// A folder of a test's own, removed with its last reference.
public final class TemporaryFolder: Sendable {
  /// The folder's path, with no link in it.
  public let path: String

  /// Makes an empty folder.
  ///
  /// - Throws: That no folder could be made.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "chapter-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder, whether it is there or not.
  public func at(_ name: String) -> String { "\(path)/\(name)" }

  /// Creates a file of this name, and gives its path.
  @discardableResult
  public func file(_ name: String, _ text: String = "") -> String {
    let descriptor = open(at(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    #expect(descriptor != -1)
    #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    close(descriptor)
    return at(name)
  }

  /// Creates a folder in it, and gives its path.
  @discardableResult
  public func folder(_ name: String) -> String {
    #expect(mkdir(at(name), 0o755) == 0)
    return at(name)
  }

  /// Renames something in it, over what has the name already, and gives the new path.
  @discardableResult
  public func move(_ name: String, to newName: String) -> String {
    #expect(rename(at(name), at(newName)) == 0)
    return at(newName)
  }

  /// Appends text to a file of this name with one write.
  public func append(_ text: String, to name: String) { append(Array(text.utf8), to: name) }

  /// Appends bytes to a file of this name with one write.
  public func append(_ bytes: [UInt8], to name: String) {
    let descriptor = open(at(name), O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }
}
