/// What a piece of code says while it runs, a line a step, from any thread.
public final class Transcript: Sendable {
  private let lines = Locked<[String]>([])
  private let echo: (@Sendable (String) -> Void)?

  /// Creates an empty transcript.
  ///
  /// - Parameter echo: Called with each line when it is said; a hazard child writes it out here, so
  ///   that its parent has it even when the child never says another.
  public init(echo: (@Sendable (String) -> Void)? = nil) {
    self.echo = echo
  }

  /// Adds a step.
  ///
  /// - Parameter step: One line.
  public func say(_ step: String) {
    lines.withLock { lines in
      lines.append(step)
      echo?(step)
    }
  }

  /// Adds a row of a table; the rows that follow each other are shown in columns, the first of them as their header.
  ///
  /// - Parameter cells: What stands in the columns, without tabs.
  public func row(_ cells: [String]) { say(cells.joined(separator: "\t")) }

  /// Says where the calling thread is about to wait for what may never come.
  ///
  /// The launcher of hazard children counts a child as hung only after this.
  ///
  /// - Parameter call: The call that blocks, such as "queue.sync on its own queue".
  public func aboutToBlock(_ call: String, file: StaticString = #fileID, line: UInt = #line) {
    let name = "\(file)".split(separator: "/").last ?? ""
    aboutToBlock("\(call) (\(name):\(line))")
  }

  /// The same without a place.
  func aboutToBlock(_ call: String) { say(HazardProtocol.blocking + call) }

  /// The steps so far, oldest first.
  public var steps: [String] { lines.withLock { $0 } }
}
