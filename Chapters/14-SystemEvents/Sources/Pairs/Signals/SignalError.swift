import Foundation

/// Why signals cannot be watched: which one, the reason, and what to do.
struct SignalError: Error, Equatable, CustomStringConvertible {
  var signal: SignalNumber?
  let reason: String
  let advice: String

  var description: String { "watch \(signal?.description ?? "signals"): \(reason); \(advice)" }

  static let none = SignalError(reason: "there is none", advice: "name one or more")

  static func descriptors(code: Int32) -> SignalError {
    SignalError(
      reason: "\(String(cString: strerror(code))) (error \(code))",
      advice: "each needs a descriptor; close some that are not needed")
  }

  /// Dispatch sets its handler once in the life of a process.
  static func reset(_ signal: SignalNumber) -> SignalError {
    SignalError(
      signal: signal, reason: "its action was set back after an earlier source, so nothing comes",
      advice: "leave the action alone once a source has had the signal")
  }
}

extension SignalNumber {
  /// Refuses what a source accepts in silence, and then never tells of.
  func checkThatSourcesTell() throws(SignalError) {
    switch rawValue {
    case SIGKILL:
      throw SignalError(
        signal: self, reason: "the kernel ends the process, and no code of it is asked",
        advice: "tidy up when the process begins the next time")
    case SIGSTOP:
      throw SignalError(
        signal: self, reason: "the kernel stops the process, and no code of it is asked",
        advice: "watch SIGCONT, which comes when it goes on")
    case SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP:
      throw SignalError(
        signal: self, reason: "it is for the instruction that failed, which a source does not stop",
        advice: "a source does not replace sigaction for it; mend the cause")
    #if canImport(Glibc)
      case SIGPIPE, SIGPROF, SIGSYS:
        throw SignalError(
          signal: self,
          reason: "Dispatch on Linux never blocks it, and sends it to itself for ever",
          advice: "ignore it with SIG_IGN, or use sigaction")
    #endif
    default:
      var action = sigaction()
      guard sigaction(rawValue, nil, &action) == 0 else {
        throw SignalError(
          signal: self, reason: "the system has no such signal, or keeps it for itself",
          advice: "take a constant, such as SIGHUP")
      }
    }
  }
}
