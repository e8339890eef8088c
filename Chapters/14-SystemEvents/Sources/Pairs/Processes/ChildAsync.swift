import Foundation

extension Async {
  /// A child whose end can be awaited. It is reaped then, also if nobody waits.
  final class Child: Sendable {
    private let child: Sourced.Child
    private let end: Task<Result<TerminationStatus, SystemError>, Never>

    /// Begins a child.
    ///
    /// - Throws: ``SystemError`` if it cannot be begun or watched; then there is no child.
    init(spawning command: Command) throws(SystemError) {
      let (results, ended) = AsyncStream<Result<TerminationStatus, SystemError>>.makeStream()
      child = try Sourced.Child(spawning: command, queue: DispatchQueue(label: "child")) {
        ended.yield($0)
      }
      end = Task {
        for await result in results { return result }
        preconditionFailure("a child that is watched ends once")
      }
    }

    var id: pid_t { child.id }

    /// Waits for the end of the child, in any number of tasks.
    ///
    /// A task that is cancelled asks the child to end, with SIGTERM, and goes on waiting, so that no child is left
    /// behind. One that ignores SIGTERM has to be sent `kill`.
    ///
    /// - Throws: ``SystemError`` if other code has reaped it, so that nobody knows how it ended.
    func exitStatus() async throws(SystemError) -> TerminationStatus {
      let result = await withTaskCancellationHandler {
        await ending
      } onCancel: {
        child.send(.terminate)
      }
      return try result.get()
    }

    /// How it ended. Waits to the end, also in a task that is cancelled, and sends nothing.
    var ending: Result<TerminationStatus, SystemError> { get async { await end.value } }

    /// Sends a signal, and says whether it was sent: none is to a child that has been reaped.
    @discardableResult
    func send(_ signal: SignalNumber) -> Bool { child.send(signal) }
  }
}
