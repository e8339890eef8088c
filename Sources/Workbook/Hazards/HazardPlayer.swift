import Foundation

extension Transcript {
  /// Ends the child process in which a hazard is played, from whatever thread.
  ///
  /// - Parameter outcome: The hazard's outcome, in place of what its code would have returned.
  public func end(with outcome: String) -> Never {
    say(HazardProtocol.outcome + outcome)
    exit(ExitStatus.success.rawValue)
  }
}

/// The child's side of a hazard: plays it and ends the process.
enum HazardPlayer {
  /// Plays a hazard if the arguments ask for one, and then never returns.
  ///
  /// - Parameters:
  ///   - arguments: The program's arguments, without its name.
  ///   - hazards: Those that this program knows.
  @MainActor
  static func playIfAsked(_ arguments: [String], hazards: [Hazard]) async {
    guard arguments.first == HazardProtocol.option else { return }
    guard arguments.count == 2, let hazard = hazards.first(where: { $0.id == arguments[1] }) else {
      Terminal.complain("no such hazard: \(arguments.dropFirst().joined(separator: " "))")
      exit(ExitStatus.usage.rawValue)
    }
    let transcript = Transcript(echo: write)
    switch hazard.code {
    case .mainThread(let code): write(HazardProtocol.outcome + code(transcript))
    case .task(let code): write(HazardProtocol.outcome + (await code(transcript)))
    }
    exit(ExitStatus.success.rawValue)
  }

  /// Writes a line past every buffer: what a child wrote must survive its death.
  @Sendable
  private static func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Ends this process and its group when the parent's end of the lifeline closes.
  ///
  /// The kernel closes it however the parent dies, by SIGKILL too. PR_SET_PDEATHSIG would not do:
  /// it fires when the *thread* that started the child ends.
  static func endWithParent() {
    guard ProcessInfo.processInfo.environment[HazardProtocol.lifelineVariable] != nil else {
      return
    }
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(HazardProtocol.lifeline, &byte, 1) == -1 && errno == EINTR {}
      kill(0, SIGKILL)
    }
  }
}
