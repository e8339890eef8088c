/// What a run of a demo looks like on a terminal: the old side on the left and the new one on the
/// right where there is room, else one under the other.
struct DemoPage {
  /// From this width on, the two worlds stand side by side.
  static let twoColumns = 90
  /// A page is never wider than is good to read.
  private static let widest = 132
  private static let gap = 3

  let chapter: Chapter
  let result: DemoResult

  func print(on terminal: Terminal) {
    let width = min(terminal.width, Self.widest)
    let heading = StyledText(text: "\(chapter.slug)/\(result.demo.name)", style: .heading)
    var lines = [heading.rendered(on: terminal)]
    lines += StyledText(text: result.demo.question).wrapped(to: width, hanging: 0)
      .map { $0.rendered(on: terminal) }
    lines.append("")
    let before = column(.before)
    let after = column(.after)
    let half = (width - Self.gap) / 2
    let isDrawnWider = (before + after).contains { $0.isDrawn && $0.text.count > half }
    if terminal.width >= Self.twoColumns, !before.isEmpty, !after.isEmpty, !isDrawnWider {
      lines += sideBySide(
        before.flatMap { $0.wrapped(to: half) }, after.flatMap { $0.wrapped(to: half) }, half,
        terminal)
    } else {
      lines += (before + after).flatMap { $0.wrapped(to: width) }
        .map { $0.rendered(on: terminal) }
    }
    for line in lines { terminal.print(line) }
  }

  private func sideBySide(
    _ left: [StyledText], _ right: [StyledText], _ width: Int, _ terminal: Terminal
  ) -> [String] {
    let empty = StyledText(text: "")
    return (0..<max(left.count, right.count)).map { row in
      let first = row < left.count ? left[row] : empty
      let second = row < right.count ? right[row] : empty
      if second.text.isEmpty { return first.rendered(on: terminal) }
      let gap = String(repeating: " ", count: Self.gap)
      return first.rendered(on: terminal, width: width) + gap + second.rendered(on: terminal)
    }
  }

  private func column(_ era: Side.Era) -> [StyledText] {
    result.sides.filter { $0.side.era == era }.flatMap { side -> [StyledText] in
      let place = side.side.hazard == nil ? "" : ", in a child process"
      let steps = side.steps.map { StyledText(text: "  " + $0, style: .faint) }
      return [StyledText(text: "\(era.rawValue) · \(side.side.mechanism)\(place)", style: .heading)]
        + steps + [verdict(on: side), StyledText(text: "")]
    }
  }

  private func verdict(on side: SideResult) -> StyledText {
    let why = side.why.isEmpty ? "" : ": \(side.why)"
    let text = "\(side.standing.rawValue)\(why)"
    return if side.holds {
      StyledText(
        text: "  ✓ \(side.outcome) (\(text))",
        style: side.standing == .surprising ? .notable : .good)
    } else {
      StyledText(
        text: "  ✗ \(side.outcome) (\(text); accepted: \(side.accepted))", style: .bad)
    }
  }
}

extension SideResult {
  /// The outcomes that the side accepts, for a reader whose run gave another.
  fileprivate var accepted: String {
    side.outcomes.filter { $0.kind != .forbidden }.map(\.value).joined(separator: " or ")
  }
}
