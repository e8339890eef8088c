import Dispatch

extension BlockingWait {
  /// Waits for its child on the queue where all events are handled. Until the child ends, no other event is.
  final class Child: Sendable {
    private let child: OwnedChild

    init(
      spawning command: Command, queue: DispatchQueue,
      whenEnded: @escaping @Sendable (Result<TerminationStatus, SystemError>) -> Void
    ) throws(SystemError) {
      let child = try OwnedChild(spawning: command)
      self.child = child
      queue.async { whenEnded(Result { () throws(SystemError) in try child.reap() }) }
    }

    @discardableResult
    func send(_ signal: SignalNumber) -> Bool { child.send(signal) }
  }
}
