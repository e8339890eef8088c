import Foundation

/// The number of a signal, which prints as its name.
struct SignalNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  let rawValue: Int32

  init(_ rawValue: Int32) { self.rawValue = rawValue }

  /// A terminal hung up. Services take it for "read your settings again".
  static let hangUp = SignalNumber(SIGHUP)
  /// The polite request to end.
  static let terminate = SignalNumber(SIGTERM)
  /// The end, which nobody can put off.
  static let kill = SignalNumber(SIGKILL)
  static let user1 = SignalNumber(SIGUSR1)
  static let user2 = SignalNumber(SIGUSR2)
  /// A child has ended, or was stopped.
  static let child = SignalNumber(SIGCHLD)

  static func < (lhs: SignalNumber, rhs: SignalNumber) -> Bool { lhs.rawValue < rhs.rawValue }

  var description: String { Self.names[rawValue] ?? "signal \(rawValue)" }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
    SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM",
    SIGTERM: "SIGTERM", SIGCHLD: "SIGCHLD", SIGCONT: "SIGCONT", SIGSTOP: "SIGSTOP",
    SIGTSTP: "SIGTSTP", SIGTTIN: "SIGTTIN", SIGTTOU: "SIGTTOU", SIGURG: "SIGURG",
    SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGVTALRM: "SIGVTALRM", SIGPROF: "SIGPROF",
    SIGWINCH: "SIGWINCH", SIGIO: "SIGIO", SIGSYS: "SIGSYS",
  ]
}
