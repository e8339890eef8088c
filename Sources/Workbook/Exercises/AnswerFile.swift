import Foundation

/// Answers to exercises with the verdicts that they should get, in one file for authors:
///
///     //// races/lost-update solved: the price first
///     actor Warehouse { … }
///
///     //// races/lost-update wrong: the value is read before the price is there
///     actor Warehouse { … }
///
/// A line that begins with `////` names the exercise, the verdict and what the answer is about. What follows is the
/// whole answer.
struct AnswerFile {
  /// One answer.
  struct Entry: Sendable {
    let exercise: Exercise
    /// Nil for any verdict on an answer that the compiler accepts and that does not solve it.
    let expected: Verdict.Kind?
    /// What the answer is about.
    let title: String
    let text: String
    /// Where it stands.
    let line: Int

    /// Whether a verdict is the one that the file says.
    func fits(_ kind: Verdict.Kind) -> Bool {
      expected.map { $0 == kind } ?? ![.solved, .refused, .unreadable].contains(kind)
    }
  }

  let entries: [Entry]

  /// - Throws: ``ExerciseError`` that says what is wrong in which line, or ``UsageError`` for an unknown exercise.
  init(_ file: URL, in folder: ExerciseFolder) throws {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw ExerciseError("\(file.path): cannot be read as text")
    }
    var entries: [Entry] = []
    var lines: [String] = []
    var head: (line: Int, exercise: Exercise, expected: Verdict.Kind?, title: String)?
    func end() {
      guard let head else { return }
      entries.append(
        Entry(
          exercise: head.exercise, expected: head.expected, title: head.title,
          text: lines.joined(separator: "\n") + "\n", line: head.line))
      lines = []
    }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard line.hasPrefix("////") else {
        if head == nil, line.contains(where: { !$0.isWhitespace }) {
          throw ExerciseError(
            "\(file.path):\(index + 1): an answer begins with a line “//// races/lost-update solved: …”"
          )
        }
        if head != nil { lines.append(String(line)) }
        continue
      }
      end()
      guard let parts = line.wholeMatch(of: #/////\s*(\S+)\s+(\w+):\s*(.*)/#),
        parts.2 == "wrong" || Verdict.Kind(rawValue: String(parts.2)) != nil
      else {
        throw ExerciseError(
          "\(file.path):\(index + 1): after //// come an exercise, “wrong” or a verdict (solved, todo, rejected, "
            + "refused, ended, stopped, unreadable), a colon, and what the answer is about")
      }
      head = (
        index + 1, try folder.exercise(named: String(parts.1)),
        Verdict.Kind(rawValue: String(parts.2)), String(parts.3)
      )
    }
    end()
    self.entries = entries
  }
}
