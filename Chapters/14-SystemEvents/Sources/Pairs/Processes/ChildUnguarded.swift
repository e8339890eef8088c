import Foundation

extension Unguarded {
  /// Reaps its child when it has ended, and sends signals to its number, which may be another one's by then.
  final class Child: Sendable {
    let id: pid_t

    init(
      spawning command: Command, queue: DispatchQueue,
      whenEnded: @escaping @Sendable (Result<TerminationStatus, SystemError>) -> Void
    ) throws(SystemError) {
      let id = try spawn(command)
      self.id = id
      let source = try ProcessSource(identifier: id, eventMask: .exit, queue: queue)
      source.setEventHandler { source.cancel() }
      source.setCancelHandler {
        var info = siginfo_t()
        _ = waitid(P_PID, id_t(id), &info, WEXITED)
        whenEnded(.success(TerminationStatus(info)))
      }
      source.activate()
    }

    func send(_ signal: SignalNumber) { _ = kill(id, signal.rawValue) }
  }
}
