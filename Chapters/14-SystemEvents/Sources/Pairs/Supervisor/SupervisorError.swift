/// Why a supervisor gave up: which child, what happened, and what to do.
enum SupervisorError: Error, Equatable, CustomStringConvertible {
  case endsTooOften(Command, TerminationStatus, restarts: Int, within: Duration)
  /// It could not be begun or watched, or somebody else has reaped it.
  case lost(Command, ProcessError)

  var description: String {
    switch self {
    case .endsTooOften(let command, let status, let restarts, let window):
      "\(command): \(status); it had its \(restarts) restarts within \(window); mend it or allow more"
    case .lost(let command, let error):
      "\(command): \(error)"
    }
  }
}
