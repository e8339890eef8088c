import Foundation

/// What a run of a demo looks like on a terminal: the old side on the left and the new one on the
/// right where there is room, else one under the other.
struct DemoPage {
  /// From this width on, the two worlds stand side by side.
  static let twoColumns = 90
  private static let gap = 3

  let chapter: Chapter
  let result: DemoResult
  /// The chapter's files that the reader has changed; they are looked up where a claim fails.
  var changedFiles: [String] = []

  func print(on terminal: Terminal) {
    let width = terminal.pageWidth
    terminal.print("\(chapter.slug)/\(result.demo.name)", .heading)
    terminal.print(result.demo.question, .plain, hanging: 0)
    var lines = [""]
    let half = (width - Self.gap) / 2
    let isWide = terminal.width >= Self.twoColumns
    let blocks = blocks(width: isWide ? half : width)
    let hasBoth = Set(blocks.map(\.era)).count == 2
    let isDrawnWider = blocks.flatMap(\.lines).contains { $0.isDrawn && $0.text.count > half }
    if isWide, hasBoth, !isDrawnWider {
      lines += pairs(blocks, half, terminal)
    } else {
      lines += (isWide ? self.blocks(width: width) : blocks)
        .flatMap { $0.lines.flatMap { $0.wrapped(to: width) } + [StyledText(text: "")] }
        .map { $0.rendered(on: terminal) }
    }
    for line in lines { terminal.print(line) }
  }

  /// What is shown of a side.
  private struct Block {
    let era: Side.Era
    let lines: [StyledText]
  }

  /// The first old side beside the first port, and so on, each pair from the same line on.
  private func pairs(_ blocks: [Block], _ width: Int, _ terminal: Terminal) -> [String] {
    let sides = [Side.Era.before, .after].map { era in
      blocks.filter { $0.era == era }.map { $0.lines.flatMap { $0.wrapped(to: width) } }
    }
    let empty = StyledText(text: "")
    return (0..<max(sides[0].count, sides[1].count)).flatMap { pair -> [String] in
      let (left, right) = (
        pair < sides[0].count ? sides[0][pair] : [], pair < sides[1].count ? sides[1][pair] : []
      )
      return (0..<max(left.count, right.count)).map { row in
        let first = row < left.count ? left[row] : empty
        let second = row < right.count ? right[row] : empty
        if second.text.isEmpty { return first.rendered(on: terminal) }
        let gap = String(repeating: " ", count: Self.gap)
        return first.rendered(on: terminal, width: width) + gap + second.rendered(on: terminal)
      } + [""]
    }
  }

  private func blocks(width: Int) -> [Block] {
    var shown: Set<CodeReference> = []
    // The code that two sides share is shown with the first of them; the old sides come first.
    let sides =
      result.sides.filter { $0.side.era == .before } + result.sides.filter { $0.side.era == .after }
    return sides.map { side in
      let place = side.side.hazard == nil ? "" : ", in a child process"
      let heading = StyledText(
        text: "\(side.side.era.rawValue) · \(side.side.mechanism)\(place)", style: .heading)
      let code =
        side.side.code.map {
          shown.insert($0).inserted ? Self.lines(of: $0, in: chapter, width) : []
        } ?? []
      return Block(
        era: side.side.era,
        lines: [heading] + code + steps(of: side, width) + [verdict(on: side)])
    }
  }

  /// The lines that a side is about, with their file.
  static func lines(
    of reference: CodeReference, in chapter: Chapter, _ width: Int
  ) -> [StyledText] {
    guard let excerpt = reference.excerpt(in: chapter.folder) else {
      return [StyledText(text: "  \(reference.file)", style: .faint)]
    }
    return [StyledText(text: "  \(reference.file):\(excerpt.line)", style: .faint)]
      + excerpt.lines.map { line in
        // A line that is too long is cut: its place says where the whole of it is.
        let text = line.isEmpty ? "  │" : "  │ " + line
        return StyledText(
          text: text.count > width ? text.prefix(width - 1) + "…" : text, style: .code)
      }
  }

  /// What the side said; rows of a table follow each other.
  private func steps(of side: SideResult, _ width: Int) -> [StyledText] {
    var lines: [StyledText] = []
    var rest = side.steps[...]
    while let step = rest.first {
      let rows = rest.prefix { $0.contains("\t") }
      if rows.isEmpty {
        lines.append(StyledText(text: "  " + step, style: .faint))
        rest.removeFirst()
      } else {
        let table = TextTable(rows: rows.map { $0.components(separatedBy: "\t") })
        lines += table.lines(width: width - 2).map {
          StyledText(text: "  " + $0.text, style: $0.style, isFixed: true)
        }
        rest = rest.dropFirst(rows.count)
      }
    }
    return lines
  }

  private func verdict(on side: SideResult) -> StyledText {
    let why = side.why.isEmpty ? "" : ": \(side.why)"
    if side.holds {
      return StyledText(
        text: "  \(side.standing.mark) \(side.outcome) (\(side.standing.rawValue)\(why))",
        style: side.standing.style)
    }
    if side.isContradicted, side.standing.isAsDeclared {
      return StyledText(text: "  ✗ \(side.outcome), but the sanitizer says otherwise", style: .bad)
    }
    let whose = Wording.whose(changedFiles)
    return StyledText(
      text:
        "  ✗ \(whose)\(side.outcome)\(why.isEmpty ? "" : " (\(side.standing.rawValue)\(why))"). "
        + "The course says: \(side.accepted).", style: .bad)
  }
}

/// Words for what a reader has changed.
enum Wording {
  /// As in: you changed CounterLock.swift, and now: …
  static func whose(_ changed: [String]) -> String {
    switch changed.count {
    case 0: ""
    case 1: "you changed \(changed[0]), and now: "
    default: "you changed \(changed.count) files, and now: "
    }
  }
}

extension SideResult {
  /// The outcomes that the side accepts, for a reader whose run gave another.
  fileprivate var accepted: String {
    side.outcomes.filter { $0.kind != .forbidden }.map(\.value).joined(separator: " or ")
  }
}
