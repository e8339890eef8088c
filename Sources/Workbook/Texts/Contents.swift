extension GeneratedPart {
  /// The tables in which the chapters are named: those that stand are bold, and their names lead to their texts.
  static func contents(in text: Markdown, of course: [Chapter]) -> [GeneratedPart] {
    let tables: [(name: String, header: String, row: (String) -> String)] = [
      ("the chapters", "| part | chapters |", { $0.linking(course, below: "Chapters/") }),
      ("the contents", "| | chapter | about |", { $0.describing(course) }),
      ("the calls", "| your call | its port | chapter |", { $0.numbering(course) }),
    ]
    return tables.compactMap { name, header, row in
      guard let (start, written) = text.table(header) else { return nil }
      var part = GeneratedPart(
        name: name, lines: start..<start + written.count, written: written,
        current: written.map(row))
      let absent = course.filter { chapter in
        !written.contains { $0.contains(chapter.paddedNumber) }
      }
      if !absent.isEmpty {
        let names = absent.map { "\($0.paddedNumber), \($0.name)" }.joined(separator: "; ")
        part.problem = "do not name chapter \(names); add it where it belongs"
      }
      return part
    }
  }
}

extension Chapter {
  /// The chapter's number as it is written: 04.
  public var paddedNumber: String { "\(number < 10 ? "0" : "")\(number)" }

  /// The path of the chapter's text from the folder of the chapters on.
  fileprivate var textPathInChapters: String { "\(folderName)/\(textPathInFolder)" }
}

extension String {
  /// "04 Races, 05 Limits", with a link for each chapter that stands.
  fileprivate func linking(_ course: [Chapter], below folder: String) -> String {
    replacing(#/(?:\*\*\[)?(\d\d) (\w+)(?:\]\([^)]*\)\*\*)?/#) { match in
      let words = "\(match.1) \(match.2)"
      return course.first { $0.paddedNumber == match.1 }
        .map { "**[\(words)](\(folder)\($0.textPathInChapters))**" } ?? words
    }
  }

  /// "| 04 | Races | … |", with a link and the chapter's own summary if it stands.
  fileprivate func describing(_ course: [Chapter]) -> String {
    guard let number = firstMatch(of: #/^\| (\d\d) \|/#)?.1,
      let chapter = course.first(where: { $0.paddedNumber == number })
    else { return self }
    return
      "| \(number) | **[\(chapter.name)](\(chapter.textPathInChapters))** | \(chapter.summary) |"
  }

  /// "… | 04, 17 |", with the numbers of the chapters that stand in bold.
  fileprivate func numbering(_ course: [Chapter]) -> String {
    guard let last = dropLast(2).lastIndex(of: "|") else { return self }
    return String(self[..<last])
      + self[last...].replacing(#/\*{0,2}(\d\d)\*{0,2}/#) { match in
        course.contains { $0.paddedNumber == match.1 } ? "**\(match.1)**" : String(match.1)
      }
  }
}
