import Foundation

/// How a process ended.
enum TerminationStatus: Hashable, Sendable, CustomStringConvertible {
  /// It returned from `main` or called `exit`; 0 says that all went well.
  case exited(Int32)
  case signalled(SignalNumber)

  /// Takes what `waitid` has told of an end.
  init(_ info: siginfo_t) {
    #if canImport(Darwin)
      let status = info.si_status  // untested
    #else
      let status = info._sifields._sigchld.si_status
    #endif
    self = info.si_code == Int32(CLD_EXITED) ? .exited(status) : .signalled(SignalNumber(status))
  }

  var description: String {
    switch self {
    case .exited(let status): "exited with \(status)"
    case .signalled(let signal): "ended by \(signal)"
    }
  }
}
