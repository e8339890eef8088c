extension Simulation {
  /// The schedule in characters: a row for each job, the most urgent above, and on several cores a row for
  /// each core.
  ///
  /// - Parameters:
  ///   - width: The most columns, 60 or more.
  ///   - window: What to show, in ticks, not empty; nil for all.
  /// - Returns: Lines without trailing spaces, each ended by a line feed. Where a column stands for
  ///   several ticks, it shows what took most of those in which the job had something to do.
  /// - Complexity: O(*s* · *w*) for *s* spans and a width of *w*.
  public func chart(width: Int = 80, window: Range<Int>? = nil) -> String {
    precondition(width >= 60, "a chart takes 60 columns or more")
    let window = window ?? 0..<max(end, 1)
    precondition(!window.isEmpty, "a chart shows a tick, at least")
    let order = tasks.order
    let name = min(max(order.map { tasks.jobs[$0].name.count }.max() ?? 0, 6), 16)
    let priority = order.map { "\(tasks.jobs[$0].priority)".count }.max() ?? 1
    let margin = name + 1 + priority + 2
    let columns = width - margin
    var scale = max((window.count + columns - 1) / columns, 1)
    if scale > 10 { scale = Axis(upTo: window.count, count: columns).step }
    let grid = Grid(window: window, scale: scale)

    var text = title.cut(width) + "\n"
    text += "one column is \(scale == 1 ? "1 tick" : "\(scale) ticks")"
    text += ", \(contextSwitches) context switches\n\n"
    var ruler = ""
    var marks = ""
    for column in stride(from: 0, to: grid.columns, by: 10) {
      let label = "\(window.lowerBound + column * scale)"
      if column + label.count > columns { break }
      ruler = ruler.trailing(column) + label
      marks = marks.trailing(column) + "|"
    }
    for line in [ruler, marks] {
      text += String(repeating: " ", count: margin) + line + "\n"
    }
    for job in order {
      let cells = grid.row(spans.filter { $0.job == job }, symbol)
      let given = tasks.jobs[job]
      let label =
        given.name.cut(name).trailing(name + 1) + "\(given.priority)".leading(priority) + "  "
      text += (label + cells).withoutTrailingSpaces + "\n"
    }
    if cores > 1 {
      for core in 0..<cores {
        let runs = spans.filter {
          if case .running(core, _) = $0.activity { true } else { false }
        }
        let cells = grid.row(runs) { span in
          let place = order.firstIndex(of: span.job)! + 1
          return Character(place < 36 ? String(place, radix: 36) : "#")
        }
        text += ("core \(core)".trailing(margin) + cells).withoutTrailingSpaces + "\n"
      }
    }
    return text + "\n" + legend(width: width)
  }

  var title: String {
    var title = "\(policy), \(cores == 1 ? "one core" : "\(cores) cores")"
    switch dispatching {
    case .fixedPriority: break
    case .roundRobin(let quantum): title += ", round robin of \(quantum)"
    case .ageing(let interval): title += ", older by one every \(interval)"
    }
    return title
  }

  private func symbol(_ span: Span) -> Character {
    switch span.activity {
    case .running(_, nil): "="
    case .running(_, let lock?): tasks.letter(of: lock)
    case .ready: "."
    case .blocked: "x"
    case .waiting: "~"
    }
  }

  private func legend(width: Int) -> String {
    var entries = ["= runs"]
    for (lock, given) in tasks.locks.enumerated() {
      entries.append("\(tasks.letter(of: lock)) runs with \(given.name.cut(24))")
    }
    entries += [". is ready", "x is blocked", "~ waits"]
    if cores > 1 { entries.append("1 to \(tasks.jobs.count) the jobs, from above") }
    var lines = [""]
    for entry in entries {
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = entry
      } else if lines[last].count + 3 + entry.count <= width {
        lines[last] += "   " + entry
      } else {
        lines.append(entry)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// Columns that stand for ticks.
private struct Grid {
  let window: Range<Int>
  let scale: Int

  var columns: Int { (window.count + scale - 1) / scale }

  /// For each column the symbol that the most ticks have; of two, the one that came first.
  func row(_ spans: [Span], _ symbol: (Span) -> Character) -> String {
    var counts: [[(symbol: Character, ticks: Int)]] = Array(repeating: [], count: columns)
    for span in spans {
      let time = span.time.clamped(to: window)
      if time.isEmpty { continue }
      let symbol = symbol(span)
      let first = (time.lowerBound - window.lowerBound) / scale
      let last = (time.upperBound - 1 - window.lowerBound) / scale
      for column in first...last {
        let start = window.lowerBound + column * scale
        let ticks = time.clamped(to: start..<start + scale).count
        if let index = counts[column].firstIndex(where: { $0.symbol == symbol }) {
          counts[column][index].ticks += ticks
        } else {
          counts[column].append((symbol, ticks))
        }
      }
    }
    return String(
      counts.map { counts in
        var best = (symbol: Character(" "), ticks: 0)
        for count in counts where count.ticks > best.ticks { best = count }
        return best.symbol
      })
  }
}

extension TaskSet {
  /// The indices of the jobs, the most urgent first.
  var order: [Int] {
    jobs.indices.sorted { (jobs[$1].priority, $0) < (jobs[$0].priority, $1) }
  }

  /// The letter of a lock in charts.
  func letter(of lock: Int) -> Character {
    lock < 26 ? Character(UnicodeScalar(UInt8(ascii: "A") + UInt8(lock))) : "#"
  }
}

extension Simulation: CustomStringConvertible {
  /// The chart, then a line for each job: how many releases, and of the one that took longest how long it
  /// took, and what blocked it.
  public var description: String {
    var lines: [[String]] = [["job", "releases", "done", "late", "longest", "blocked", "by"]]
    for job in tasks.order {
      let all = responses(of: tasks.jobs[job].name)
      let done = all.filter { $0.completion != nil }
      let longest = done.max { $0.time! < $1.time! }
      lines.append([
        tasks.jobs[job].name.cut(16), "\(all.count)", "\(done.count)",
        "\(all.filter(\.isLate).count)", longest.map { "\($0.time!)" } ?? "-",
        longest.map { "\($0.blocked)" } ?? "-", longest?.reasons ?? "",
      ])
    }
    var text = chart() + "\n"
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max()! }
    for line in lines {
      var row = line[0].trailing(widths[0])
      for column in 1..<line.count - 1 { row += "  " + line[column].leading(widths[column]) }
      text += (row + "  " + line.last!).withoutTrailingSpaces.cut(80) + "\n"
    }
    for deadlock in deadlocks { text += "deadlock \(deadlock)\n" }
    return text
  }
}

extension Response {
  /// What blocked it, in a few words, what took longest first.
  fileprivate var reasons: String {
    blocking.enumerated().sorted { ($1.element.time, $0.offset) < ($0.element.time, $1.offset) }
      .map {
        "\($0.element.job) \($0.element.time)" + ($0.element.lock.map { " with \($0)" } ?? "")
      }
      .joined(separator: ", ")
  }
}
