import Foundation

/// The folder `Exercises` and what is in it, in the order of the course.
public struct ExerciseFolder: Sendable {
  /// The working folder: the one that `Exercises` is in.
  public let root: URL
  /// The exercises in the order of the course.
  public let exercises: [Exercise]

  /// Reads the exercises of a working folder.
  ///
  /// - Parameter root: The working folder.
  /// - Throws: ``ExerciseError`` for a folder that is not an exercise.
  public init(root: URL) throws {
    self.root = root
    let all = root.appending(path: "Exercises")
    exercises = try Self.folders(in: all).flatMap { try Self.folders(in: $0) }.map(Exercise.init)
      .sorted { $0.number < $1.number }
  }

  /// Finds the working folder: the current one, or the nearest around it, with `Exercises` in it.
  ///
  /// - Throws: ``ExerciseError`` where there is none.
  public static func nearest() throws -> ExerciseFolder {
    let current = URL(filePath: FileManager.default.currentDirectoryPath)
    for folder in sequence(first: current, next: { $0.deletingLastPathComponent() }) {
      if isFolder(folder.appending(path: "Exercises")) { return try ExerciseFolder(root: folder) }
      if folder.pathComponents.count <= 1 { break }
    }
    throw ExerciseError(
      "there is no folder Exercises here or around \(current.path); change to the package's folder")
  }

  private static func folders(in folder: URL) throws -> [URL] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }.filter(isFolder)
  }

  private static func isFolder(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// The exercise that a word of the command line names: `races/lost-update`, `4/1`, `lost-update`.
  ///
  /// - Throws: ``UsageError`` that suggests the nearest name.
  public func exercise(named word: String) throws -> Exercise {
    let found = exercises.filter { exercise in
      let (chapter, number) = exercise.number
      return [
        exercise.id, "\(chapter)/\(number)", "\(exercise.id.split(separator: "/")[0])/\(number)",
        String(exercise.id.split(separator: "/")[1]),
      ].contains(word)
    }
    guard found.count == 1 else {
      throw found.isEmpty
        ? UsageError.unknown("exercise", word, among: exercises.map(\.id))
        : UsageError("“\(word)” may be \(found.map(\.id).joined(separator: " or "))")
    }
    return found[0]
  }

  /// A file's path from the working folder on.
  func path(of file: URL) -> String {
    let prefix = root.path.hasSuffix("/") ? root.path : root.path + "/"
    return file.path.hasPrefix(prefix) ? String(file.path.dropFirst(prefix.count)) : file.path
  }
}
