import Foundation
import Synchronization

/// A child with one owner: it is reaped once, and no signal goes to its number afterwards.
///
/// The kernel gives the number of a child away when the child has been reaped.
final class OwnedChild: Sendable {
  let id: pid_t
  private let isReaped = Mutex(false)

  /// Begins a child, which nobody else may reap.
  ///
  /// - Throws: ``SystemError``; then there is none.
  init(spawning command: Command) throws(SystemError) {
    keepChildrenUntilReaped()
    id = try spawn(command)
  }

  /// Sends a signal.
  ///
  /// - Returns: `false` if nothing was sent, as to a child that has been reaped.
  @discardableResult
  func send(_ signal: SignalNumber) -> Bool {
    isReaped.withLock { isReaped in !isReaped && kill(id, signal.rawValue) == 0 }
  }

  /// Waits for the end of the child, and gives its number back. To be called once.
  ///
  /// - Throws: ``SystemError`` if it was reaped by other code, so that nobody knows how it ended.
  func reap() throws(SystemError) -> TerminationStatus {
    var info = siginfo_t()
    do {
      // Signals may be sent while this waits. The child keeps its number meanwhile.
      try wait(&info, WEXITED | WNOWAIT)
    } catch {
      isReaped.withLock { $0 = true }
      throw error
    }
    return try isReaped.withLock { (isReaped) throws(SystemError) in
      precondition(!isReaped, "process \(id) is reaped twice")
      isReaped = true
      try wait(&info, WEXITED)
      return TerminationStatus(info)
    }
  }

  private func wait(_ info: inout siginfo_t, _ options: Int32) throws(SystemError) {
    while waitid(P_PID, id_t(id), &info, options) == -1 {
      let code = errno
      guard code == EINTR else { throw .waiting(for: id, code: code) }
    }
  }
}
