import Dispatch

/// What feeds a source of a kind that Linux's Dispatch lacks, and the source of Dispatch in which its events merge.
protocol EventWatch: Sendable {
  associatedtype Events: OptionSet & Sendable

  var source: any DispatchSourceProtocol { get }
  var data: Events { get }
  /// Sets what is called when nothing is watched any more.
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void)
  func activate()
  /// Lets all that has happened until now be one event.
  func look()
  func cancel()
}

/// Has the interface of Dispatch's sources, for a kind that Linux's Dispatch lacks.
///
/// Events that come while the handler waits or runs, or while the source is suspended, are one set.
final class EventSource<Watch: EventWatch>: Sendable {
  /// What it watches: a descriptor, which may be closed in the cancel handler and not before, or a process.
  let handle: Int32
  /// What it tells of.
  let mask: Watch.Events
  private let watch: Watch
  private let source: BalancedSource

  /// Makes a source that is inactive.
  init(handle: Int32, mask: Watch.Events, watch: Watch) {
    self.handle = handle
    self.mask = mask
    self.watch = watch
    source = BalancedSource(watch.source)
  }

  deinit { cancel() }

  /// What has happened since the handler ran last. To be asked in the handler.
  var data: Watch.Events { watch.data }
  var isCancelled: Bool { watch.source.isCancelled }

  func setEventHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.source.setEventHandler(handler: handler)
  }

  func setRegistrationHandler(_ handler: @escaping @Sendable () -> Void) {
    watch.source.setRegistrationHandler(handler: handler)
  }

  /// Sets what is called once after `cancel`, when nothing is watched any more. To be set before activation.
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
  /// - Throws: ``SourceMisuse`` if the source is cancelled.
  func suspend() throws(SourceMisuse) { try source.suspend() }

  /// Takes back one suspension.
  ///
  /// - Throws: ``SourceMisuse`` if the source is active and not suspended.
  func resume() throws(SourceMisuse) {
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
