public import Foundation

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
  let folder = FileManager.default.temporaryDirectory.appending(path: "chapter-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(folder)
}
