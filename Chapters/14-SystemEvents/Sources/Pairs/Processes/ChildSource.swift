import Foundation

extension Sourced {
  /// A child whose end is told to a handler. It is reaped then, also if nobody keeps this object.
  final class Child: Sendable {
    private let child: OwnedChild

    /// Begins a child.
    ///
    /// - Parameter whenEnded: Called once, after the child is reaped, with how it ended; or with ``SystemError`` if
    ///   other code has reaped it.
    /// - Throws: ``SystemError`` if it cannot be begun or watched; then there is no child.
    init(
      spawning command: Command, queue: DispatchQueue,
      whenEnded: @escaping @Sendable (Result<TerminationStatus, SystemError>) -> Void
    ) throws(SystemError) {
      let child = try OwnedChild(spawning: command)
      self.child = child
      do {
        let source = try ProcessSource(identifier: child.id, eventMask: .exit, queue: queue)
        // The handler keeps its source until the child ends.
        source.setEventHandler { source.cancel() }
        source.setCancelHandler {
          // Not before: the child is watched no more, and does not wait.
          whenEnded(Result { () throws(SystemError) in try child.reap() })
        }
        source.activate()
      } catch {
        child.send(.kill)
        _ = try? child.reap()
        throw error
      }
    }

    var id: pid_t { child.id }

    /// Sends a signal, and says whether it was sent: none is to a child that has been reaped.
    @discardableResult
    func send(_ signal: SignalNumber) -> Bool { child.send(signal) }
  }
}
