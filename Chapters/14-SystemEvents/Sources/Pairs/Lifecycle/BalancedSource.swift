import Dispatch
import Synchronization

/// Owns a Dispatch source: a mistake is an error, and its release never traps.
///
/// Set the handlers of the source before, and activate it through its owner. A handler that keeps the owner keeps both
/// until the source is cancelled.
// Sendable because the source is called under the lock, or by nobody else when it is freed.
final class BalancedSource: @unchecked Sendable {
  /// The account that Dispatch keeps, too, and nobody can ask for.
  private struct Account {
    var isActive = false
    var suspensions = 0
  }

  private let source: any DispatchSourceProtocol
  private let account = Mutex(Account())

  /// Takes over an inactive source, to which nobody else may talk from now on.
  init(_ source: any DispatchSourceProtocol) { self.source = source }

  var isActive: Bool { account.withLock { $0.isActive } }

  deinit {
    // Dispatch traps when it frees a source that is inactive or suspended.
    let account = account.withLock { $0 }
    source.cancel()
    if !account.isActive { source.activate() }
    for _ in 0..<account.suspensions { source.resume() }
  }

  /// Lets the source begin; a second call does nothing.
  func activate() {
    // The source is called under the lock, so that it hears of all calls in the order of the account.
    account.withLock {
      $0.isActive = true
      source.activate()
    }
  }

  /// Holds handlers back from now on. The one in flight goes on.
  ///
  /// - Throws: ``SourceMisuse`` if the source is cancelled.
  func suspend() throws(SourceMisuse) {
    try account.withLock { (account) throws(SourceMisuse) in
      guard !source.isCancelled else { throw .suspendedAfterCancellation }
      account.suspensions += 1
      source.suspend()
    }
  }

  /// Takes back one suspension. A source that was never activated nor suspended begins, as it always has.
  ///
  /// - Throws: ``SourceMisuse`` if the source is active and not suspended.
  func resume() throws(SourceMisuse) {
    try account.withLock { (account) throws(SourceMisuse) in
      if account.suspensions > 0 {
        account.suspensions -= 1
      } else if !account.isActive {
        account.isActive = true
      } else {
        throw .resumedWithoutSuspension
      }
      source.resume()
    }
  }

  /// Ends the source. Its cancel handler follows when it is active and not suspended.
  func cancel() { account.withLock { _ in source.cancel() } }
}

/// A call that Dispatch answers with a trap, or not at all.
enum SourceMisuse: String, Error, CustomStringConvertible {
  case resumedWithoutSuspension =
    "resume of a source that is not suspended; call it once for each call of suspend"
  case suspendedAfterCancellation =
    "suspend of a cancelled source; nothing is left to hold back but its cancel handler"

  var description: String { rawValue }
}
