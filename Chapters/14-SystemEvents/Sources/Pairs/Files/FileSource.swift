import Dispatch

/// Tells what happens to an open file, as Dispatch's file-system source does, which Linux lacks.
///
/// Events that come while the handler waits or runs, or while the source is suspended, are one set.
final class FileSource: Sendable {
  /// The descriptor. It may be closed in the cancel handler, and not before.
  let handle: Int32
  /// What it tells of.
  let mask: FileEvents
  private let watch: FileWatch
  private let source: BalancedSource

  /// Makes a source that is inactive.
  ///
  /// - Parameter queue: Where handlers run; `nil` for a global queue.
  /// - Throws: ``FileError`` if the descriptor is closed or cannot be watched, or on Linux for `revoked`. The
  ///   descriptor is the caller's, in any case.
  init(
    fileDescriptor: Int32, eventMask: FileEvents, queue: DispatchQueue? = nil
  ) throws(FileError) {
    precondition(!eventMask.isEmpty, "name the events to be told of")
    handle = fileDescriptor
    mask = eventMask
    watch = try FileWatch(descriptor: fileDescriptor, mask: eventMask, queue: queue)
    source = BalancedSource(watch.source)
  }

  deinit { cancel() }

  /// What has happened since the handler ran last. To be asked in the handler.
  var data: FileEvents { watch.data }
  var isCancelled: Bool { watch.source.isCancelled }

  func setEventHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.source.setEventHandler(handler: handler)
  }

  func setRegistrationHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.source.setRegistrationHandler(handler: handler)
  }

  /// Sets what is called once after `cancel`, when the descriptor is used no more. To be set before activation.
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.setCancelHandler(handler)
  }

  /// Lets the source begin; a second call does nothing.
  func activate() {
    watch.activate()
    source.activate()
  }

  /// Holds handlers back from now on. Events go on merging.
  ///
  /// - Throws: ``SourceLifecycle/Misuse`` if the source is cancelled.
  func suspend() throws(SourceLifecycle.Misuse) { try source.suspend() }

  /// Takes back one suspension.
  ///
  /// - Throws: ``SourceLifecycle/Misuse`` if the source is active and not suspended.
  func resume() throws(SourceLifecycle.Misuse) {
    // What has happened until now is one event.
    watch.look()
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
