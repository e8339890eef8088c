import Dispatch
import Synchronization

/// Owns a Dispatch source: a mistake is an error, and its release never traps.
///
/// Set the handlers of the source before, and activate it through its owner. A handler that keeps the owner keeps both
/// until the source is cancelled.
// Sendable because the source is called under the lock, or by nobody else when it is freed.
final class BalancedSource: @unchecked Sendable {
  private let source: any DispatchSourceProtocol
  private let lifecycle = Mutex(SourceLifecycle())

  /// Takes over an inactive source, to which nobody else may talk from now on.
  init(_ source: any DispatchSourceProtocol) { self.source = source }

  var isActive: Bool { lifecycle.withLock { $0.isActive } }

  deinit {
    // Dispatch traps when it frees a source that is inactive or suspended.
    let state = lifecycle.withLock { $0 }
    source.cancel()
    if !state.isActive { source.activate() }
    for _ in 0..<state.suspensions { source.resume() }
  }

  /// Lets the source begin; a second call does nothing.
  func activate() {
    // The source is called under the lock, so that it hears of all calls in the order of the account.
    lifecycle.withLock {
      $0.activate()
      source.activate()
    }
  }

  /// Holds handlers back from now on. The one in flight goes on.
  ///
  /// - Throws: ``SourceLifecycle/Misuse`` if the source is cancelled.
  func suspend() throws(SourceLifecycle.Misuse) {
    try lifecycle.withLock { (state) throws(SourceLifecycle.Misuse) in
      try state.suspend()
      source.suspend()
    }
  }

  /// Takes back one suspension.
  ///
  /// - Throws: ``SourceLifecycle/Misuse`` if the source is active and not suspended.
  func resume() throws(SourceLifecycle.Misuse) {
    try lifecycle.withLock { (state) throws(SourceLifecycle.Misuse) in
      try state.resume()
      source.resume()
    }
  }

  /// Ends the source. Its cancel handler follows when it is active and not suspended.
  func cancel() {
    lifecycle.withLock {
      $0.cancel()
      source.cancel()
    }
  }
}
