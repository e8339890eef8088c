import Foundation

/// A picture of a text that is made from the code, by the command in a comment above it:
/// `<!-- $ swift run workbook explore races/reentrancy --svg reentrancy.svg -->`.
public struct GeneratedPicture: Sendable {
  /// The command's words.
  public let command: String
  /// The line of the comment, from 1.
  public let line: Int
  /// The picture's file.
  public let file: URL
  /// What the code gives now.
  public let current: String
  /// Why it gives nothing, if it does not: the command fails.
  public let problem: String?

  /// Whether the file holds what the code gives.
  public var isCurrent: Bool {
    problem == nil && (try? String(contentsOf: file, encoding: .utf8)) == current
  }

  /// The pictures of a text that are made from the code, in their order.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - folder: The text's folder, in which the pictures are.
  ///   - program: The path of `workbook`, which is run for each.
  /// - Throws: ``LaunchError`` when the program cannot be started.
  public static func all(
    of text: Markdown, in folder: URL, program: String
  ) async throws -> [GeneratedPicture] {
    var pictures: [GeneratedPicture] = []
    for (number, line) in text.prose {
      guard
        let match = line.wholeMatch(of: /<!-- \$ swift run workbook (.+ --svg (\S+\.svg)) -->/)
      else { continue }
      let fresh = FileManager.default.temporaryDirectory
        .appending(path: "picture-\(UUID().uuidString).svg")
      defer { try? FileManager.default.removeItem(at: fresh) }
      let words = match.1.split(separator: " ").dropLast().map(String.init) + [fresh.path]
      let result = try await ChildProcess.run(program, words)
      let current = try? String(contentsOf: fresh, encoding: .utf8)
      pictures.append(
        GeneratedPicture(
          command: String(match.1), line: number, file: folder.appending(path: String(match.2)),
          current: current ?? "",
          problem: result.ending == .exited(0) && current != nil
            ? nil : "it fails: \(result.errors.split(separator: "\n").last ?? "\(result.ending)")"))
    }
    return pictures
  }
}
