import Foundation
import Synchronization

#if canImport(CLinux)
  import CLinux
#endif

extension Sourced {
  /// Calls a handler for signals. Equal ones that come before it runs are one, in the kernel and here.
  // Sendable because Dispatch's sources may be used on any thread.
  final class Signals: @unchecked Sendable {
    private let sources: [SignalNumber: any DispatchSourceSignal]

    /// Begins to watch. The signals lose their default action, and do not get it back.
    ///
    /// - Parameters:
    ///   - queue: Where handlers run. Keep it short of work: a signal waits its turn there.
    ///   - whenReady: Called once, when signals that are sent from now on are told; with an error if some never will
    ///     be. Before that they may be lost.
    ///   - whenOver: Called once, when nothing is watched any more.
    /// - Throws: ``SignalError`` for a signal that no source is told of.
    init(
      of signals: Set<SignalNumber>, queue: DispatchQueue,
      whenReady: @escaping @Sendable (SignalError?) -> Void = { _ in },
      whenSignal: @escaping @Sendable (SignalNumber) -> Void,
      whenOver: @escaping @Sendable () -> Void = {}
    ) throws(SignalError) {
      guard !signals.isEmpty else { throw .none }
      for signal in signals.sorted() { try signal.checkThatSourcesTell() }
      try checkDescriptors(for: signals.count)
      let ready = Countdown(from: signals.count) {
        #if canImport(Darwin)
          whenReady(nil)
        #else
          whenReady(signals.sorted().first { $0.action != .handled }.map { .reset($0) })
        #endif
      }
      let over = Countdown(from: signals.count, whenZero: whenOver)
      var sources: [SignalNumber: any DispatchSourceSignal] = [:]
      for signal in signals {
        let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue)
        source.setRegistrationHandler { ready.count() }
        source.setEventHandler { whenSignal(signal) }
        source.setCancelHandler { over.count() }
        sources[signal] = source
      }
      self.sources = sources
      activate(sources)
    }

    deinit { cancel() }

    /// Stops watching: a handler that runs is the last one.
    ///
    /// The default action does not come back. On Linux a signal that is sent from now on waits, and the next source for
    /// it is told; on Apple systems it does nothing (untested).
    func cancel() { for source in sources.values { source.cancel() } }
  }
}

/// Dispatch says nothing when it has no descriptor for a source. On Linux it needs one for each signal.
private func checkDescriptors(for count: Int) throws(SignalError) {
  #if canImport(CLinux)
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<count {
      let descriptor = linux_eventfd()
      guard descriptor != -1 else { throw .descriptors(code: errno) }
      descriptors.append(descriptor)
    }
  #endif
}

/// Calls a block when so much has happened.
private final class Countdown: Sendable {
  private let rest: Mutex<Int>
  private let whenZero: @Sendable () -> Void

  init(from count: Int, whenZero: @escaping @Sendable () -> Void) {
    rest = Mutex(count)
    self.whenZero = whenZero
  }

  func count() {
    let isZero = rest.withLock { rest in
      rest -= 1
      return rest == 0
    }
    if isZero { whenZero() }
  }
}
