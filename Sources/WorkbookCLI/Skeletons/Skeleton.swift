import Foundation
import Workbook

/// Begins a chapter or an exercise: writes files that build and pass, each with a `TODO` that the rules of the course
/// complain about until it is replaced.
struct Skeleton {
  /// The package's folder.
  let root: URL
  let course: [Chapter]

  /// In the package around the current folder.
  ///
  /// - Throws: ``ExerciseError`` where there is none.
  static func nearest(_ course: [Chapter]) throws -> Skeleton {
    Skeleton(root: try ExerciseFolder.nearest().root, course: course)
  }

  /// - Parameters:
  ///   - words: `chapter NN-Name`, or `exercise NN-Chapter/N-Name`.
  ///   - terminal: Where to say what was written, and what comes next.
  /// - Throws: ``UsageError`` for other words, and for what is there already; nothing is written then. An error of the
  ///   file system.
  func callAsFunction(_ words: [String], on terminal: Terminal) throws -> ExitStatus {
    guard words.count == 2 else {
      throw UsageError("new takes chapter NN-Name, or exercise NN-Chapter/N-Name")
    }
    switch words[0] {
    case "chapter": try chapter(words[1], terminal)
    case "exercise": try exercise(words[1], terminal)
    default: throw UsageError.unknown("thing to begin", words[0], among: ["chapter", "exercise"])
    }
    return .success
  }

  // MARK: A chapter

  private func chapter(_ folder: String, _ terminal: Terminal) throws {
    guard let match = folder.wholeMatch(of: /(\d\d)-([A-Z][A-Za-z]+)/), match.1 != "00" else {
      throw UsageError("a chapter is called NN-Name, as in 02-Groups, not “\(folder)”")
    }
    let (number, name) = (String(match.1), String(match.2))
    if let other = course.first(where: { $0.folderName.hasPrefix("\(number)-") }) {
      throw UsageError("chapter \(number) is \(other.folderName)")
    }
    let manifest = root.appending(path: "Package.swift")
    var lines = try String(contentsOf: manifest, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.contains(where: { $0.contains("\"\(name)\"") }) {
      throw UsageError("the package has a module \(name) already")
    }
    guard let last = lines.lastIndex(where: { $0.hasPrefix("  chapter(\"") }) else {
      throw UsageError("Package.swift has no list of chapters to add a line to")
    }
    let next = lines.firstIndex { $0.hasPrefix("  chapter(\"") && $0 > "  chapter(\"\(number)" }
    lines.insert("  chapter(\"\(number)\", \"\(name)\"),", at: next ?? last + 1)

    let new = Chapter(Int(number)!, name, "", demos: [])
    let files = ChapterSkeleton(
      name: name, slug: new.slug, member: new.member, number: new.number)
    let place = "Chapters/\(folder)"
    try write(
      files.texts.map { ("\(place)/\($0)", $1) }, links: files.links.map { ("\(place)/\($0)", $1) },
      terminal)
    try change("Package.swift", to: lines.joined(separator: "\n"), terminal)
    try change("Sources/WorkbookCLI/Course.swift", to: list(of: course + [new]), terminal)
    terminal.print(
      """

      Replace what says TODO; swift run workbook course refresh fills the tables, and
      swift test --filter "CourseTests|\(name)Tests" says what is missing.
      """)
  }

  private func list(of chapters: [Chapter]) -> String {
    let imports = (chapters.map(\.name) + ["Workbook"]).sorted().map { "import \($0)\n" }.joined()
    let names = chapters.sorted { $0.number < $1.number }.map { ".\($0.member)" }
    return """
      \(imports)
      /// The chapters that stand, in the order of the course.
      let course: [Chapter] = [
        \(names.joined(separator: ",\n  ")),
      ]

      """
  }

  // MARK: An exercise

  private func exercise(_ path: String, _ terminal: Terminal) throws {
    guard path.wholeMatch(of: /\d\d-[A-Z][A-Za-z]+\/[1-9]\d*-[A-Z][A-Za-z]+/) != nil else {
      throw UsageError(
        "an exercise is called NN-Chapter/N-Name, as in 02-Groups/1-FirstDone, not “\(path)”")
    }
    let chapter = String(path.prefix { $0 != "/" })
    guard FileManager.default.fileExists(atPath: root.appending(path: "Chapters/\(chapter)").path)
    else {
      throw UsageError.unknown("chapter", chapter, among: course.map(\.folderName))
    }
    try write(exerciseTexts.map { ("Exercises/\(path)/\($0)", $1) }, links: [], terminal)
    terminal.print("\nReplace what says TODO; swift run workbook check says what is not in order.")
  }

  // MARK: Files

  /// Writes files that are not there yet, or none.
  private func write(
    _ texts: [(path: String, text: String)], links: [(path: String, to: String)],
    _ terminal: Terminal
  ) throws {
    for path in texts.map(\.path) + links.map(\.path)
    where FileManager.default.fileExists(atPath: root.appending(path: path).path) {
      throw UsageError("\(path) is there already; nothing was written")
    }
    for (path, text) in texts {
      let file = try prepared(path)
      try Data(text.utf8).write(to: file, options: .withoutOverwriting)
      terminal.print("wrote    \(path)")
    }
    for (path, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: prepared(path).path, withDestinationPath: target)
      terminal.print("linked   \(path) → \(target)")
    }
  }

  private func prepared(_ path: String) throws -> URL {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return file
  }

  private func change(_ path: String, to text: String, _ terminal: Terminal) throws {
    try Data(text.utf8).write(to: root.appending(path: path), options: .atomic)
    terminal.print("changed  \(path)")
  }
}
