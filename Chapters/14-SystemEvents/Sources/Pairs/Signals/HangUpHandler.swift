import Foundation

extension Interrupting {
  /// Logs each SIGHUP, wherever it interrupts the program.
  static func logHangUps() {
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in EventLog.shared.write("SIGHUP") }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler  // untested
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    sigaction(SIGHUP, &action, nil)
  }
}
