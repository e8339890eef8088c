import Dispatch
import Foundation

/// Tells of the end of a process, as Dispatch's process source does, which Linux lacks.
///
/// It does not reap a child. Reap it in the cancel handler: its end is watched no more by then.
final class ProcessSource: Sendable {
  /// The number of the process.
  let handle: pid_t
  /// What it tells of.
  let mask: ProcessEvents
  private let watch: ProcessWatch
  private let source: BalancedSource

  /// Makes a source that is inactive.
  ///
  /// - Parameter queue: Where handlers run; `nil` for a global queue.
  /// - Throws: ``ProcessError`` if there is no such process, or on Linux for all events but `exit`.
  init(
    identifier: pid_t, eventMask: ProcessEvents, queue: DispatchQueue? = nil
  ) throws(ProcessError) {
    precondition(!eventMask.isEmpty, "name the events to be told of")
    handle = identifier
    mask = eventMask
    watch = try ProcessWatch(process: identifier, mask: eventMask, queue: queue)
    source = BalancedSource(watch.source)
  }

  deinit { cancel() }

  /// What has happened since the handler ran last. To be asked in the handler.
  var data: ProcessEvents { watch.data }
  var isCancelled: Bool { watch.source.isCancelled }

  func setEventHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.source.setEventHandler(handler: handler)
  }

  func setRegistrationHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.source.setRegistrationHandler(handler: handler)
  }

  /// Sets what is called once after `cancel`, when the process is watched no more. To be set before activation.
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.setCancelHandler(handler)
  }

  /// Lets the source begin; a second call does nothing.
  func activate() {
    source.activate()
    watch.activate()
  }

  /// Holds handlers back from now on.
  ///
  /// - Throws: ``SourceLifecycle/Misuse`` if the source is cancelled.
  func suspend() throws(SourceLifecycle.Misuse) { try source.suspend() }

  /// Takes back one suspension.
  ///
  /// - Throws: ``SourceLifecycle/Misuse`` if the source is active and not suspended.
  func resume() throws(SourceLifecycle.Misuse) {
    try source.resume()
    // Old code begins its sources so.
    if source.isActive { watch.activate() }
  }

  /// Ends the source. Its cancel handler follows when it is active and not suspended.
  func cancel() {
    watch.cancel()
    source.cancel()
  }
}
