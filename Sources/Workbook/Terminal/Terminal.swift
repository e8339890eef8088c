import Foundation

/// Where a program of the workbook writes, and how.
public struct Terminal: Sendable {
  /// The width of the output in columns, one or more.
  public let width: Int
  /// Whether the output may be coloured.
  public let hasColour: Bool
  private let write: @Sendable (String) -> Void

  /// Creates a terminal.
  ///
  /// - Parameters:
  ///   - width: The width in columns, one or more.
  ///   - hasColour: Whether the output may be coloured.
  ///   - write: Takes each piece of output.
  public init(width: Int, hasColour: Bool, write: @escaping @Sendable (String) -> Void) {
    self.width = width
    self.hasColour = hasColour
    self.write = write
  }

  /// Standard output: as wide as its window, else as `COLUMNS` says, else 80; coloured on a
  /// terminal, unless `NO_COLOR` is set or the terminal is dumb.
  public static let standardOutput: Terminal = {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var size = winsize()
    let hasSize = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    return Terminal(
      width: hasSize ? Int(size.ws_col) : columns ?? 80,
      hasColour: isTerminal && environment["NO_COLOR", default: ""].isEmpty
        && environment["TERM"] != "dumb"
    ) { text in
      do {
        try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
      } catch {
        // Where SIGPIPE is ignored, a reader that has gone shows as an error: end as quietly.
        exit(128 + SIGPIPE)
      }
    }
  }()

  /// Writes a line.
  public func print(_ line: String = "") {
    write(line + "\n")
  }

  /// Writes words behind which the reader types.
  func prompt(_ words: String) { write(words) }

  /// Writes a line about wrong use, or about what failed, to standard error.
  public static func complain(_ line: String) {
    let program = CommandLine.arguments[0].split(separator: "/").last ?? "workbook"
    logText("\(program): \(line)\n")
  }

  /// Shows what is under way on standard error: on a terminal in one line that is written over, else
  /// a line each.
  ///
  /// - Parameter line: What is under way; `nil` takes the line of a terminal away.
  public static func showProgress(_ line: String?) {
    if isatty(STDERR_FILENO) == 1 {
      logText("\r\u{1B}[K\(line ?? "")")
    } else if let line {
      logText("\(line)\n")
    }
  }

  /// How many lines standard output shows, where it is a terminal; else 24.
  var height: Int {
    var size = winsize()
    let hasSize = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
    return hasSize ? Int(size.ws_row) : 24
  }

  /// Whether standard output is a terminal that a person looks at.
  var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Takes all that stands on the terminal of standard output away.
  static func clearScreen() {
    FileHandle.standardOutput.write(Data("\u{1B}[2J\u{1B}[H".utf8))
  }

  private static func logText(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
