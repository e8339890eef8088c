import Foundation

/// The texts of the course, in the package's folder.
public struct CourseTexts: Sendable {
  /// The pages around the chapters.
  public static let pages = ["README.md", "CONTRIBUTING.md", "Chapters/README.md"]

  private let root: URL
  private let course: [Chapter]

  /// - Parameters:
  ///   - root: The package's folder.
  ///   - course: Its chapters.
  public init(root: URL, course: [Chapter]) {
    self.root = root
    self.course = course
  }

  /// The texts in the current folder, or the nearest around it that has exercises.
  ///
  /// - Throws: ``ExerciseError`` where there is none.
  public static func nearest(_ course: [Chapter]) throws -> CourseTexts {
    CourseTexts(root: try ExerciseFolder.nearest().root, course: course)
  }

  /// The texts that are there, each with its path from the package's folder on, and whose it is.
  public var all: [(path: String, chapter: Chapter?)] {
    Self.pages.map { ($0, nil) } + course.map { ($0.textPath, $0) }
  }

  /// The text at a path.
  public func text(at path: String) throws -> Markdown {
    Markdown(try String(contentsOf: root.appending(path: path), encoding: .utf8))
  }

  /// Writes what is made from the code anew where the code gives something else now.
  ///
  /// - Parameter terminal: Where to say what has changed.
  /// - Throws: What reading, running and writing throw; what was written stays.
  public func refresh(on terminal: Terminal) async throws -> ExitStatus {
    let program = try HazardProtocol.program()
    var (count, problems) = (0, 0)
    for (path, chapter) in all {
      Terminal.showProgress(path)
      let text = try text(at: path)
      let stale = try await GeneratedPart.all(
        of: text, in: chapter, course: course, program: program
      )
      .filter { !$0.isCurrent }
      Terminal.showProgress(nil)
      guard !stale.isEmpty else { continue }
      let written = stale.filter { $0.problem == nil }
      try Data(text.replacing(written).utf8).write(
        to: root.appending(path: path), options: .atomic)
      for part in stale {
        let what = part.problem.map { "is left as it is: \($0)" } ?? "written anew"
        terminal.print("\(path):\(part.lines.lowerBound + 1): \(part.name) \(what)")
      }
      count += written.count
      problems += stale.count - written.count
    }
    terminal.print(
      count + problems == 0
        ? "the texts say what the code gives"
        : "\(count) \(count == 1 ? "part" : "parts") written anew")
    return problems == 0 ? .success : .claimFailed
  }
}

extension Chapter {
  /// The chapter's folder below `Chapters`, such as `04-Races`.
  public var folderName: String { "\(paddedNumber)-\(name)" }

  /// The path of the chapter's text in the package.
  public var textPath: String { "Chapters/\(folderName)/\(textPathInFolder)" }

  /// The path of the chapter's text in the chapter's folder.
  public var textPathInFolder: String { "Sources/\(name).docc/\(name).md" }
}
