import Foundation

/// How a hazard child ended, and what it wrote.
public struct HazardReport: Sendable {
  /// How the child ended.
  public let ending: ChildProcess.Ending
  /// What the child said, a line a step, without its outcome.
  public let steps: [String]
  /// What the child wrote to standard error, a line each.
  public let errors: [String]
  private let returned: String?

  init(_ result: ChildProcess.Result) {
    let lines = result.output.split(separator: "\n").map(String.init)
    ending = result.ending
    returned = lines.last { $0.hasPrefix(HazardProtocol.outcome) }
      .map { String($0.dropFirst(HazardProtocol.outcome.count)) }
    steps = lines.filter { !$0.hasPrefix(HazardProtocol.outcome) }
    errors = result.errors.split(separator: "\n").map(String.init)
  }

  /// The line with which Swift ended the child, such as a precondition that failed. Dispatch and the
  /// runtime's checks of isolation trap without a word.
  private var fatalError: String? { errors.last { $0.contains("Fatal error") } }

  /// The outcome: what the code returned, `trap`, `hang`, or how else the child ended.
  public var outcome: String {
    switch ending {
    case .exited(let status):
      // ThreadSanitizer changes the status of a process that it has a report about to 66.
      if let returned, status == 0 || (status == 66 && !races.isEmpty) {
        returned
      } else {
        "exit status \(status)"
      }
    case .signaled(SIGILL), .signaled(SIGTRAP): fatalError == nil ? "trap" : "fatal error"
    // The runtime aborts: a use of an unowned reference, say.
    case .signaled(SIGABRT) where fatalError != nil: "fatal error"
    case .signaled(let signal): "killed by \(ChildProcess.name(ofSignal: signal))"
    case .hung: "hang"
    case .outOfTime: "no end in time"
    }
  }

  /// Where the child waits, if it hangs: the last call that it said would block.
  public var hangsAt: String? {
    guard ending == .hung else { return nil }
    return steps.last { $0.hasPrefix(HazardProtocol.blocking) }
      .map { String($0.dropFirst(HazardProtocol.blocking.count)) }
  }

  /// The places of the data races that ThreadSanitizer reported, in the order of its reports.
  ///
  /// It calls a race of two mutating accesses a "Swift access race", every other a "data race".
  public var races: [String] {
    errors.compactMap { line in
      guard line.hasPrefix("SUMMARY: ThreadSanitizer: ") else { return nil }
      let kinds = ["data race ", "Swift access race "]
      guard let place = kinds.lazy.compactMap({ line.firstRange(of: $0)?.upperBound }).first else {
        return nil
      }
      let path = line[place...].prefix { $0 != " " }
      return path.split(separator: "/").last.map(String.init)
    }
  }

  /// Whether ThreadSanitizer, where built in, saw a data race if and only if there is one.
  func agreesWithSanitizer(_ hazard: Hazard) -> Bool {
    !ThreadSanitizer.isActive || races.isEmpty != hazard.isDataRace
  }

  /// What the parent adds to the child's own words.
  func remarks(for hazard: Hazard) -> [String] {
    var remarks: [String] = []
    switch ending {
    case .signaled(let signal):
      remarks.append("the child was ended by \(ChildProcess.name(ofSignal: signal))")
      if let fatalError { remarks.append(fatalError) }
    case .hung:
      remarks.append("the child hangs: every thread sleeps, its CPU time stands still")
    case .exited, .outOfTime: break
    }
    if hazard.isDataRace, ThreadSanitizer.isActive {
      remarks.append(
        races.isEmpty
          ? "ThreadSanitizer is built in and reports nothing"
          : "ThreadSanitizer reports the data race (\(races[0]))")
    }
    return remarks
  }
}
