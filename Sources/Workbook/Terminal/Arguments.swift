/// A command line, taken apart: words, and the few options that the workbook knows.
public struct Arguments: Sendable {
  /// What is not an option, in order.
  public let words: [String]
  /// The options that were given.
  public let options: Set<String>

  /// Takes a command line apart.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the program's name.
  ///   - known: The options that the program knows, such as `--json`. `-h` stands for `--help`.
  /// - Throws: ``UsageError`` for an option that is not known.
  public init(_ arguments: [String], options known: [String]) throws {
    let isOption = { (argument: String) in argument.hasPrefix("-") }
    words = arguments.filter { !isOption($0) }
    let given = arguments.filter(isOption).map { $0 == "-h" ? "--help" : $0 }
    if let unknown = given.first(where: { !known.contains($0) }) {
      throw UsageError.unknown("option", unknown, among: known)
    }
    options = Set(given)
  }
}

extension DemoRun {
  /// The demos that a word of the command line names: `races`, `4`, `races/lost-update`.
  ///
  /// - Throws: ``UsageError`` that suggests the nearest name.
  public static func items(named word: String, in course: [Chapter]) throws -> [Item] {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    guard let chapter = course.first(where: { $0.isNamed(parts[0]) }) else {
      throw UsageError.unknown("chapter", parts[0], among: course.map(\.slug))
    }
    guard parts.count == 2 else { return all(of: [chapter]) }
    guard let demo = chapter.demo(parts[1]) else {
      let names = chapter.demos.map { "\(chapter.slug)/\($0.name)" }
      throw UsageError.unknown("demo", "\(chapter.slug)/\(parts[1])", among: names)
    }
    return [Item(chapter: chapter, demo: demo)]
  }
}

extension Chapter {
  /// Whether a word of the command line means this chapter: its slug or its number.
  public func isNamed(_ word: String) -> Bool { word == slug || Int(word) == number }
}
