/// A text in which regions are marked and named, so that another can say what it has in their place:
///
///     // region price
///     func price(of item: String) -> Int { 3 }
///     // endregion
struct ExerciseRegions {
  /// The regions by name: their lines, without the marks.
  private(set) var regions: [String: [String]] = [:]
  /// What the text is made of, in order: lines, and names of regions.
  private var parts: [Part] = []

  private enum Part {
    case line(String)
    case region(String)
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: What it is called where something is wrong with it.
  /// - Throws: ``ExerciseError`` for a region that is not ended, or named twice.
  init(_ text: String, path: String) throws {
    var open: String?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let mark = line.drop { $0 == " " }
      func problem(_ what: String) -> ExerciseError {
        ExerciseError("\(path):\(index + 1): \(what)")
      }
      if mark.hasPrefix("// region ") {
        let name = String(mark.dropFirst(10))
        if let open { throw problem("region \(name) begins before region \(open) has ended") }
        if regions[name] != nil { throw problem("there are two regions called \(name)") }
        open = name
        regions[name] = []
        parts.append(.region(name))
      } else if mark == "// endregion" {
        guard open != nil else { throw problem("a region ends, and none has begun") }
        open = nil
      } else if let open {
        regions[open]!.append(String(line))
      } else {
        parts.append(.line(String(line)))
      }
    }
    if let open {
      throw ExerciseError("\(path): region \(open) does not end; end it with // endregion")
    }
  }

  /// The text without marks.
  ///
  /// - Parameter other: What stands in place of regions of the same name.
  func text(replacing other: [String: [String]] = [:]) -> String {
    var lines: [String] = []
    var isAfterNothing = false
    for part in parts {
      switch part {
      // Where a region is empty, the empty line after it goes with it.
      case .line("") where isAfterNothing: isAfterNothing = false
      case .line(let line):
        lines.append(line)
        isAfterNothing = false
      case .region(let name):
        let region = other[name] ?? regions[name] ?? []
        lines += region
        isAfterNothing = region.isEmpty
      }
    }
    return lines.joined(separator: "\n")
  }
}
