/// What can happen to a process: the rows of Apple's process source, with its numbers. Linux tells of the end only.
struct ProcessEvents: OptionSet, Hashable, Sendable, CustomStringConvertible {
  let rawValue: UInt

  static let exit = ProcessEvents(rawValue: 1 << 31)
  /// It began a child.
  static let fork = ProcessEvents(rawValue: 1 << 30)
  /// It became another program.
  static let exec = ProcessEvents(rawValue: 1 << 29)
  /// It was sent a signal.
  static let signal = ProcessEvents(rawValue: 1 << 27)

  var description: String {
    let names: [(ProcessEvents, String)] = [
      (.exit, "exit"), (.fork, "fork"), (.exec, "exec"), (.signal, "signal"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
  }
}
