/// How a program of the workbook ends.
public enum ExitStatus: Int32, Sendable {
  /// All was done, and every claim held.
  case success = 0
  /// Something that was claimed did not hold.
  case claimFailed = 1
  /// The program was called in a way that it does not understand (EX_USAGE).
  case usage = 64
}

/// A call that the program does not understand.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public let description: String

  /// Creates an error with its line.
  public init(_ description: String) {
    self.description = description
  }

  /// A name that is not among the known ones; the line suggests the nearest of them.
  ///
  /// - Parameters:
  ///   - kind: What the name should name, such as "demo".
  ///   - name: The unknown name.
  ///   - known: The known names.
  public static func unknown(_ kind: String, _ name: String, among known: [String]) -> UsageError {
    let nearest = known.min { $0.editDistance(to: name) < $1.editDistance(to: name) }
    let suggestion = nearest.map { "; did you mean “\($0)”?" } ?? ""
    return UsageError("there is no \(kind) “\(name)”\(suggestion)")
  }
}

extension String {
  /// The least number of characters to insert, delete or replace that turn this string into
  /// another (Levenshtein 1966).
  ///
  /// - Complexity: O(*n* × *m*) in the lengths of the strings.
  func editDistance(to other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (i, character) in enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in other.indices {
        let replaced = diagonal + (character == other[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = Swift.min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
