extension Simulation {
  /// The schedule as a picture: a row for each job, the most urgent above.
  ///
  /// - Parameter window: What to show, in ticks, not empty; nil for all.
  /// - Returns: An SVG document that needs no other file; its colours follow light and dark.
  /// - Complexity: O(*s*) for *s* spans.
  public func svg(window: Range<Int>? = nil) -> String {
    let window = window ?? 0..<max(end, 1)
    precondition(!window.isEmpty, "a chart shows a tick, at least")
    let order = tasks.order
    let (left, top, row, width) = (190, 64, 44, 800)
    let bottom = top + row * order.count
    func position(_ time: Int) -> Int { left + (time - window.lowerBound) * width / window.count }

    var body = SVG.text(title, x: 20, y: 28, "title")
    let step = Axis(upTo: window.count, count: 20).step
    let first = (window.lowerBound + step - 1) / step * step
    for time in stride(from: first, through: window.upperBound, by: step) {
      body += SVG.line(x1: position(time), y1: top - 6, x2: position(time), y2: bottom, "grid")
      body += SVG.text("\(time)", x: position(time), y: top - 12, "middle")
    }
    for (index, job) in order.enumerated() {
      let y = top + row * index
      let given = tasks.jobs[job]
      body += SVG.text(given.name.cut(16), x: 20, y: y + 28, "job")
      body += SVG.text("\(given.priority)", x: left - 16, y: y + 28, "end note")
      body += SVG.line(x1: left, y1: y + row - 6, x2: left + width, y2: y + row - 6, "axis")
      for span in spans where span.job == job && span.time.overlaps(window) {
        let time = span.time.clamped(to: window)
        body += bar(span, from: position(time.lowerBound), to: position(time.upperBound), y: y)
      }
      for response in responses(of: given.name) {
        body += marks(response, window: window, position: position, y: y, row: row)
      }
    }
    body += legend(x: left, y: bottom + 26)
    return SVG.document(
      width: left + width + 30, height: bottom + 44 + 24 * legendRows, label: title, body)
  }

  /// A bar 22 high for running or being blocked, a line for being ready or waiting.
  private func bar(_ span: Span, from x1: Int, to x2: Int, y: Int) -> String {
    let (top, height) = (y + 14, 24)
    switch span.activity {
    case .running(let core, let lock):
      let style = lock.map { "l\($0 % 6)" } ?? "free"
      var bar = SVG.rect(x: x1, y: top, width: max(x2 - x1, 1), height: height, style)
      var label = lock.map { String(tasks.letter(of: $0)) } ?? ""
      if cores > 1 { label += "\(core)" }
      if !label.isEmpty, x2 - x1 >= 8 * label.count + 4 {
        bar += SVG.text(label, x: (x1 + x2) / 2, y: top + 17, "letter")
      }
      if span.priority > tasks.jobs[span.job].priority {
        bar += SVG.line(x1: x1, y1: top - 1, x2: x2, y2: top - 1, "raised")
      }
      return bar
    case .blocked:
      return SVG.rect(x: x1, y: top + 6, width: max(x2 - x1, 1), height: height - 12, "blocked")
    case .ready:
      return SVG.line(x1: x1, y1: top + height / 2, x2: x2, y2: top + height / 2, "ready")
    case .waiting:
      return SVG.line(x1: x1, y1: top + height / 2, x2: x2, y2: top + height / 2, "waiting")
    }
  }

  /// An arrow up where a release comes, and a cross where a deadline passes too early.
  private func marks(
    _ response: Response, window: Range<Int>, position: (Int) -> Int, y: Int, row: Int
  ) -> String {
    var marks = ""
    if window.contains(response.release) {
      let x = position(response.release)
      marks += SVG.path("M\(x),\(y + 4) l-4,7 h3 v\(row - 17) h2 v-\(row - 17) h3 z", "arrow")
    }
    if response.isLate, let deadline = response.deadline, window.contains(deadline) {
      let x = position(deadline)
      marks += SVG.path("M\(x - 6),\(y + 8) l12,12 m0,-12 l-12,12", "late")
    }
    return marks
  }

  private var legendRows: Int { (6 + tasks.locks.count + (cores > 1 ? 1 : 0) + 2) / 3 }

  private func legend(x left: Int, y top: Int) -> String {
    var body = ""
    var index = 0
    /// Places an entry, three in a row.
    func entry(_ text: String, _ symbol: (_ x: Int, _ y: Int) -> String) {
      let (x, y) = (left + 270 * (index % 3), top + 24 * (index / 3))
      body += symbol(x, y) + SVG.text(text, x: x + 38, y: y + 13, "note")
      index += 1
    }
    entry("runs") { SVG.rect(x: $0, y: $1, width: 28, height: 16, "free") }
    entry("is ready") { SVG.line(x1: $0, y1: $1 + 8, x2: $0 + 28, y2: $1 + 8, "ready") }
    entry("is blocked") { SVG.rect(x: $0, y: $1 + 2, width: 28, height: 12, "blocked") }
    entry("has a raised priority") {
      SVG.line(x1: $0, y1: $1 + 8, x2: $0 + 28, y2: $1 + 8, "raised")
    }
    entry("waits") { SVG.line(x1: $0, y1: $1 + 8, x2: $0 + 28, y2: $1 + 8, "waiting") }
    entry("misses its deadline") { SVG.path("M\($0 + 8),\($1 + 2) l12,12 m0,-12 l-12,12", "late") }
    for (lock, given) in tasks.locks.enumerated() {
      entry("runs with \(given.name.cut(20))") {
        SVG.rect(x: $0, y: $1, width: 28, height: 16, "l\(lock % 6)")
          + SVG.text(String(tasks.letter(of: lock)), x: $0 + 14, y: $1 + 13, "letter")
      }
    }
    if cores > 1 {
      entry("runs on core 0, and so on") {
        SVG.rect(x: $0, y: $1, width: 28, height: 16, "free")
          + SVG.text("0", x: $0 + 14, y: $1 + 13, "letter")
      }
    }
    return body
  }
}
