/// Curves over a common axis, as text and as a picture.
public struct Plot: Hashable, Sendable {
  /// A measured point; both numbers from 0 to 1,000,000,000,000.
  public struct Point: Hashable, Sendable {
    public var x: Int
    public var y: Int

    public init(x: Int, y: Int) {
      let range = 0...1_000_000_000_000
      precondition(range.contains(x) && range.contains(y), "a point is in 0 to 1,000,000,000,000")
      self.x = x
      self.y = y
    }
  }

  public struct Series: Hashable, Sendable {
    public var name: String
    public var points: [Point]

    public init(name: String, points: [Point]) {
      self.name = name
      self.points = points
    }
  }

  public var title: String
  /// What the axes show.
  public var x: String
  public var y: String
  /// The curves, 1 to 6.
  public var series: [Series]

  public init(title: String, x: String, y: String, series: [Series]) {
    self.title = title
    self.x = x
    self.y = y
    self.series = series
  }

  private var limits: (x: Axis, y: Axis) {
    let points = series.flatMap(\.points)
    return (Axis(upTo: points.map(\.x).max() ?? 0), Axis(upTo: points.map(\.y).max() ?? 0))
  }

  private static let marks: [Character] = ["o", "x", "+", "*", "#", "@"]

  // MARK: Text

  /// The plot in characters, 20 rows high, a mark for each curve; where two meet, the first is shown.
  ///
  /// - Parameter width: The most columns, 40 or more.
  public func text(width: Int = 80) -> String {
    precondition(width >= 40, "a plot takes 40 columns or more")
    let (xs, ys) = limits
    let labels = ys.steps.map { "\($0)" }
    let margin = (labels.map(\.count).max() ?? 1) + 1
    let columns = width - margin - 2
    let rows = 20
    var cells = Array(repeating: Array(repeating: Character(" "), count: columns), count: rows + 1)
    for (index, curve) in series.enumerated().reversed() {
      for point in curve.points {
        let column = point.x * (columns - 1) / xs.end
        let row = rows - (point.y * rows + ys.end / 2) / ys.end
        cells[row][column] = Self.marks[index % Self.marks.count]
      }
    }
    var lines = [title, "", y]
    for (row, line) in cells.enumerated() {
      let step = ys.steps.first { rows - ($0 * rows + ys.end / 2) / ys.end == row }
      let label = step.map { "\($0)" } ?? ""
      lines.append(label.leading(margin) + (step == nil ? "|" : "+") + String(line))
    }
    var axis = Array(repeating: Character("-"), count: columns)
    var numbers = ""
    for step in xs.steps {
      let column = step * (columns - 1) / xs.end
      axis[column] = "+"
      let label = "\(step)"
      let start = min(margin + 1 + column - label.count / 2, width - label.count)
      numbers = numbers.trailing(max(start, numbers.count)) + label
    }
    lines.append(String(repeating: " ", count: margin) + "+" + String(axis))
    lines.append(numbers)
    lines.append(x.leading(margin + 1 + (columns + x.count) / 2))
    lines.append("")
    for (index, curve) in series.enumerated() {
      lines.append("\(Self.marks[index % Self.marks.count])  \(curve.name)")
    }
    return lines.map(\.withoutTrailingSpaces).joined(separator: "\n") + "\n"
  }

  // MARK: Picture

  /// The plot as a picture.
  ///
  /// - Returns: An SVG document that needs no other file; its colours follow light and dark.
  public var svg: String {
    let (xs, ys) = limits
    let (left, top, width, height) = (70, 60, 560, 300)
    func position(_ point: Point) -> (x: Int, y: Int) {
      (left + point.x * width / xs.end, top + height - point.y * height / ys.end)
    }
    var body = SVG.text(title, x: left, y: 28, "title")
    for step in ys.steps {
      let y = position(Point(x: 0, y: step)).y
      body += SVG.line(x1: left, y1: y, x2: left + width, y2: y, "grid")
      body += SVG.text("\(step)", x: left - 8, y: y + 4, "end")
    }
    for step in xs.steps {
      let x = position(Point(x: step, y: 0)).x
      body += SVG.line(x1: x, y1: top + height, x2: x, y2: top + height + 5, "axis")
      body += SVG.text("\(step)", x: x, y: top + height + 20, "middle")
    }
    body += SVG.text(y, x: left, y: top - 12, "note")
    body += SVG.text(x, x: left + width / 2, y: top + height + 42, "middle")
    for (index, curve) in series.enumerated() {
      let places = curve.points.map(position)
      let path = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
      body += "  <polyline class=\"s\(index % 6)\" points=\"\(path)\"/>\n"
      if index % 2 == 0 {
        for (x, y) in places {
          body += "  <circle class=\"f\(index % 6)\" cx=\"\(x)\" cy=\"\(y)\" r=\"4\"/>\n"
        }
      } else {
        for (x, y) in places {
          body += SVG.rect(x: x - 4, y: y - 4, width: 8, height: 8, "f\(index % 6)")
        }
      }
      // The name stands at the end of the curve; curves that end at one place share it.
      if let end = places.last {
        let before = series[..<index].filter { $0.points.last == curve.points.last }.count
        body += SVG.text(curve.name, x: end.x + 12, y: end.y + 4 + 16 * before, "note")
      }
    }
    return SVG.document(width: left + width + 250, height: top + height + 60, label: title, body)
  }
}

/// Round numbers along an axis.
struct Axis {
  /// Where it ends.
  let end: Int
  /// How far its numbers are apart.
  let step: Int

  /// - Parameters:
  ///   - most: The greatest number to be shown, 0 or more.
  ///   - count: How many steps there should be, at most.
  init(upTo most: Int, count: Int = 10) {
    var step = 1
    while step * count < most { step = Self.successor(of: step) }
    self.step = step
    end = max((most + step - 1) / step * step, step)
  }

  var steps: [Int] { Array(stride(from: 0, through: end, by: step)) }

  /// The next of 1, 2, 5, 10, 20, 50, …
  static func successor(of step: Int) -> Int {
    var power = 1
    while power * 10 <= step { power *= 10 }
    return step / power == 2 ? power * 5 : step / power == 5 ? power * 10 : power * 2
  }
}
