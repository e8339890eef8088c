/// A line of text with one style, whose length is that of its characters alone.
struct StyledText {
  enum Style: String {
    case plain = ""
    case heading = "1"
    case faint = "2"
    case good = "32"
    case bad = "31"
    case notable = "33"
    case code = "36"
  }

  let text: String
  var style = Style.plain
  /// Whether it has been broken already.
  var isFixed = false

  /// The line, coloured where the terminal may be, and filled up with spaces to a width.
  func rendered(on terminal: Terminal, width: Int = 0) -> String {
    let padding = String(repeating: " ", count: max(0, width - text.count))
    guard terminal.hasColour, style != .plain else { return text + padding }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m\(padding)"
  }

  /// Whether it is a line of a drawing, in which the spaces between the words mean something.
  var isDrawn: Bool { isFixed || style == .code || text.drop { $0 == " " }.contains("  ") }

  /// The line broken at spaces so that each piece fits a width. A word longer than that is cut.
  ///
  /// - Parameters:
  ///   - width: The width, one or more.
  ///   - hanging: By how much later pieces are indented more than the first.
  func wrapped(to width: Int, hanging: Int = 2) -> [StyledText] {
    if isDrawn { return [self] }
    let indent = String(text.prefix { $0 == " " })
    let laterIndent = indent + String(repeating: " ", count: hanging)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      var rest = word
      while !rest.isEmpty {
        let start = line.isEmpty ? (lines.isEmpty ? indent : laterIndent) : line + " "
        let room = max(1, width - start.count)
        if start.count + rest.count <= width || (line.isEmpty && rest.count <= room) {
          line = start + rest
          rest = ""
        } else if line.isEmpty {
          lines.append(start + rest.prefix(room))
          rest = rest.dropFirst(room)
        } else {
          lines.append(line)
          line = ""
        }
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines.map { StyledText(text: $0, style: style) }
  }
}

extension Terminal {
  /// Writes a line, broken where it does not fit.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - hanging: By how much later pieces are indented more than the first.
  public func print(_ text: String, hanging: Int) { print(text, .plain, hanging: hanging) }

  /// A page is never wider than is good to read.
  static let widestPage = 132

  /// The width of a page, one or more.
  var pageWidth: Int { min(width, Self.widestPage) }

  /// Writes a line, broken where it does not fit.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - style: How it is shown.
  ///   - hanging: By how much later pieces are indented more than the first.
  ///   - width: The width, one or more; that of a page unless told.
  func print(_ text: String, _ style: StyledText.Style, hanging: Int = 2, width: Int? = nil) {
    let pieces = StyledText(text: text, style: style)
      .wrapped(to: width ?? pageWidth, hanging: hanging)
    for piece in pieces { print(piece.rendered(on: self)) }
  }
}
