/// A command line, taken apart: words, and the few options that the workbook knows.
public struct Arguments: Sendable {
  /// What is not an option, in order.
  public let words: [String]
  /// The options that were given.
  public let options: Set<String>
  /// What was given to options that take a value: `--limit 100` or `--limit=100`.
  public let values: [String: String]

  /// Takes a command line apart.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the program's name.
  ///   - known: The options that the program knows, such as `--json`. `-h` stands for `--help`.
  ///   - valued: Those that take a value, such as `--limit`.
  /// - Throws: ``UsageError`` for an option that is not known, or that lacks its value.
  public init(_ arguments: [String], options known: [String], valued: [String] = []) throws {
    var words: [String] = []
    var options: Set<String> = []
    var values: [String: String] = [:]
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if valued.contains(parts[0]) {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
          throw UsageError("\(parts[0]) takes a value: \(parts[0]) VALUE")
        }
        values[parts[0]] = value
      } else if argument == "-h" || known.contains(argument) {
        options.insert(argument == "-h" ? "--help" : argument)
      } else {
        throw UsageError.unknown("option", argument, among: known + valued)
      }
    }
    self.words = words
    self.options = options
    self.values = values
  }
}

extension Sequence where Element == Chapter {
  /// The chapter that a word of the command line means, and what follows its slash.
  ///
  /// - Throws: ``UsageError`` that suggests the nearest name.
  func chapter(named word: String) throws -> (chapter: Chapter, part: String?) {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let chapter = first(where: { $0.isNamed(parts[0]) }) else {
      throw UsageError.unknown("chapter", parts[0], among: map(\.slug))
    }
    return (chapter, parts.count == 2 ? parts[1] : nil)
  }
}

extension DemoRun {
  /// The demos that a word of the command line names: `races`, `4`, `races/lost-update`.
  ///
  /// - Throws: ``UsageError`` that suggests the nearest name.
  public static func items(named word: String, in course: [Chapter]) throws -> [Item] {
    let (chapter, part) = try course.chapter(named: word)
    guard let part else { return all(of: [chapter]) }
    guard let demo = chapter.demo(part) else {
      let name = "\(chapter.slug)/\(part)"
      if chapter.scenario(part) != nil {
        throw UsageError("“\(name)” is explored only, with: workbook explore \(name)")
      }
      let names = chapter.demos.map { "\(chapter.slug)/\($0.name)" }
      throw UsageError.unknown("demo", name, among: names)
    }
    return [Item(chapter: chapter, demo: demo)]
  }
}

extension Chapter {
  /// Whether a word of the command line means this chapter: its slug or its number.
  public func isNamed(_ word: String) -> Bool { word == slug || Int(word) == number }
}
