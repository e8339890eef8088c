import Foundation

/// An exercise, as its folder holds it.
///
/// One folder is one exercise, and nothing else registers it:
///
///     Exercises/04-Races/1-LostUpdate/
///       Start.swift      what the learner begins with: whole, or as regions of the solution
///       Exercise.swift   what the learner edits: written at first use, and not under version control
///       Check.swift      what the answer is checked with
///       Solution.swift   a right answer
///       Mutants/         wrong answers that look right, likewise
///       README.md        task, minutes, hints
public struct Exercise: Sendable {
  /// How it is called on the command line, such as `races/lost-update`.
  public let id: String
  /// The number of its chapter and its own number within the chapter, from 1.
  public let number: (chapter: Int, exercise: Int)
  /// What it is called in a text.
  public let title: String
  /// How long it takes, in minutes.
  public let minutes: Int
  /// The situation and what to do, as Markdown.
  public let task: String
  /// From gentle to nearly telling.
  public let hints: [String]
  /// What compiler errors mean here, told when what the compiler wrote contains one of the words.
  public let compilerHints: [CompilerHint]
  /// What the task rules out, and why: names, and words such as `@unchecked Sendable`.
  public let refusedWords: [CompilerHint]
  /// The exercise's folder.
  public let folder: URL

  /// What the learner edits.
  public var answer: URL { folder.appending(path: "Exercise.swift") }
  /// What the learner began with.
  public var start: URL { folder.appending(path: "Start.swift") }
  /// A right answer.
  public var solution: URL { folder.appending(path: "Solution.swift") }
  var check: URL { folder.appending(path: "Check.swift") }

  /// Wrong answers that look right, by name.
  public var mutants: [URL] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "Mutants"), includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  /// Why its solution is not shown.
  var notSolvedYet: String {
    "\(id) is not solved yet; to see its solution all the same: swift run workbook exercise solution \(id) --anyway"
  }

  /// Whether the exercise is about what the compiler refuses: then it may refuse wrong answers, too.
  public var isAboutCompiling: Bool { !compilerHints.isEmpty }

  /// Reads an exercise from its folder.
  ///
  /// - Parameter folder: The folder, `NN-Chapter/N-Name`.
  /// - Throws: ``ExerciseError`` that says what the folder lacks.
  public init(_ folder: URL) throws {
    let chapter = folder.deletingLastPathComponent().lastPathComponent
    guard let own = folder.lastPathComponent.wholeMatch(of: /([1-9]\d*)-([A-Z]\w*)/),
      let around = chapter.wholeMatch(of: /(\d\d)-([A-Z]\w*)/)
    else {
      throw ExerciseError("\(folder.path): an exercise's folder is called NN-Chapter/N-Name")
    }
    self.folder = folder
    number = (Int(around.1)!, Int(own.1)!)
    id = String(around.2).inKebabCase + "/" + String(own.2).inKebabCase
    let readme = folder.appending(path: "README.md")
    guard let text = try? String(contentsOf: readme, encoding: .utf8) else {
      throw ExerciseError("\(readme.path): an exercise has a text; this one cannot be read")
    }
    let page = ExercisePage(text)
    guard let title = page.title else {
      throw ExerciseError("\(readme.path): it begins with a title, `# Title`")
    }
    guard let minutes = page.minutes else {
      throw ExerciseError("\(readme.path): it says how long it takes, as in `10 minutes`")
    }
    guard !page.hints.isEmpty else {
      throw ExerciseError("\(readme.path): it has a list of hints, `## Hints` and then `1. …`")
    }
    self.title = title
    self.minutes = minutes
    task = page.task
    hints = page.hints
    compilerHints = page.compilerHints
    refusedWords = page.refusedWords
    for file in [start, check, solution]
    where !FileManager.default.fileExists(atPath: file.path) {
      throw ExerciseError("\(file.path): an exercise has this file, and it is not there")
    }
  }
}

extension Exercise {
  /// Writes what the learner begins with, where the learner has no file yet.
  ///
  /// - Throws: An error of the file system.
  func begin() throws {
    // What is there is kept, even if it comes at this moment.
    do {
      try Data(text(of: start).utf8).write(to: answer, options: .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {}
  }

  /// What the compiler is given of one of the exercise's files.
  ///
  /// A file that has regions is the solution with these in place of its own; no text has marks.
  ///
  /// - Throws: ``ExerciseError`` for a region that the solution does not have, or an error of the file system.
  public func text(of file: URL) throws -> String {
    func regions(of file: URL) throws -> ExerciseRegions {
      try ExerciseRegions(String(contentsOf: file, encoding: .utf8), path: file.path)
    }
    let own = try regions(of: file)
    guard file != solution, !own.regions.isEmpty else { return own.text() }
    let solution = try regions(of: solution)
    let unknown = own.regions.keys.filter { solution.regions[$0] == nil }.sorted()
    guard unknown.isEmpty else {
      throw ExerciseError(
        "\(file.path): Solution.swift has no region \(unknown.joined(separator: ", ")); it has "
          + (solution.regions.isEmpty
            ? "none" : solution.regions.keys.sorted().joined(separator: ", ")))
    }
    return solution.text(replacing: own.regions)
  }
}

/// What an error of the compiler means in an exercise, or why a word is ruled out.
public struct CompilerHint: Sendable, Equatable {
  /// Words of the error, or of its notes.
  public let words: [String]
  /// What it means and what to do about it.
  public let text: String

  /// Whether it is about what the compiler wrote.
  func fits(_ output: String) -> Bool { words.contains { output.contains($0) } }
}

/// Something about the exercises as they are stored that is not as it must be.
public struct ExerciseError: Error, CustomStringConvertible {
  /// What, where and what to do, in one line.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The parts of an exercise's README.
private struct ExercisePage {
  private(set) var title: String?
  private(set) var minutes: Int?
  private(set) var task = ""
  private(set) var hints: [String] = []
  private(set) var compilerHints: [CompilerHint] = []
  private(set) var refusedWords: [CompilerHint] = []

  init(_ text: String) {
    var section = ""
    var items: [String: [String]] = [:]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") {
        title = String(line.dropFirst(2))
      } else if line.hasPrefix("## ") {
        section = String(line.dropFirst(3))
      } else if section.isEmpty, minutes == nil, let match = line.firstMatch(of: /(\d+) minutes/) {
        minutes = Int(match.1)
      } else if section.isEmpty {
        task += line + "\n"
      } else if let match = line.wholeMatch(of: /(?:\d+\.|-) (.+)/) {
        items[section, default: []].append(String(match.1))
      } else if line.hasPrefix("  "), let last = items[section]?.indices.last {
        items[section]![last] += " " + line.trimmingCharacters(in: .whitespaces)
      }
    }
    task = task.trimmingCharacters(in: .newlines)
    hints = items["Hints"] ?? []
    func explained(_ section: String) -> [CompilerHint] {
      (items[section] ?? []).compactMap { item in
        guard let parts = item.wholeMatch(of: /(.*?`): (.+)/) else { return nil }
        return CompilerHint(
          words: parts.1.matches(of: /`([^`]+)`/).map { String($0.1) }, text: String(parts.2))
      }
    }
    compilerHints = explained("When the compiler says")
    refusedWords = explained("Ruled out")
  }
}
