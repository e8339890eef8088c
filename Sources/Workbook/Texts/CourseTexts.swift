import Foundation

/// The texts of the course, in the package's folder.
public struct CourseTexts: Sendable {
  /// The pages around the chapters.
  public static let pages = [
    "README.md", "CONTRIBUTING.md", "Chapters/README.md", "Chapters/Primer.md",
  ]

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

  /// The texts that are there, each by its path from the package's folder on.
  public var paths: [String] { Self.pages + course.map(\.textPath) }

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
    func say(_ path: String, _ line: Int, _ what: String, _ problem: String?) {
      let outcome = problem.map { "is left as it is: \($0)" } ?? "written anew"
      terminal.print("\(path):\(line): \(what) \(outcome)")
      if problem == nil { count += 1 } else { problems += 1 }
    }
    for chapter in course {
      Terminal.showProgress(chapter.outcomesPath)
      let page = await chapter.outcomesPage()
      Terminal.showProgress(nil)
      let file = root.appending(path: chapter.outcomesPath)
      if (try? String(contentsOf: file, encoding: .utf8)) != page {
        try Data(page.utf8).write(to: file, options: .atomic)
        say(chapter.outcomesPath, 1, "the appendix", nil)
      }
    }
    for path in paths {
      Terminal.showProgress(path)
      let text = try text(at: path)
      let folder = root.appending(path: path).deletingLastPathComponent()
      for picture in try await GeneratedPicture.all(of: text, in: folder, program: program)
      where !picture.isCurrent {
        if picture.problem == nil {
          try Data(picture.current.utf8).write(to: picture.file, options: .atomic)
        }
        say(path, picture.line, "the picture \(picture.file.lastPathComponent)", picture.problem)
      }
      let stale = try await GeneratedPart.all(of: text, course: course, program: program)
        .filter { !$0.isCurrent }
      Terminal.showProgress(nil)
      guard !stale.isEmpty else { continue }
      let written = stale.filter { $0.problem == nil }
      try Data(text.replacing(written).utf8).write(
        to: root.appending(path: path), options: .atomic)
      for part in stale { say(path, part.lines.lowerBound + 1, part.name, part.problem) }
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
