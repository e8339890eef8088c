import Dispatch

extension Sourced {
  /// Tells of bytes that have come. What is added while the handler waits or runs is told as one sum.
  // Sendable because Dispatch's sources may be used on any thread.
  final class DownloadProgress: @unchecked Sendable {
    private let source: any DispatchSourceUserDataAdd

    init(
      queue: DispatchQueue, whenAdded handler: @escaping @Sendable (_ bytes: UInt) -> Void,
      whenOver: @escaping @Sendable () -> Void = {}
    ) {
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      self.source = source
      // The handler keeps its source until the source is cancelled, which `deinit` sees to.
      source.setEventHandler { handler(source.data) }
      source.setCancelHandler(handler: whenOver)
      source.activate()
    }

    deinit { source.cancel() }

    /// Adds bytes; 0 calls nobody.
    func add(bytes: UInt) { source.add(data: bytes) }

    /// Ends it. A sum that waits is lost.
    func cancel() { source.cancel() }
  }

  /// Tells which parts have changed. Those that are marked while the handler waits are told at once.
  // Sendable because Dispatch's sources may be used on any thread.
  final class DirtyParts: @unchecked Sendable {
    private let source: any DispatchSourceUserDataOr

    init(
      queue: DispatchQueue, whenMarked handler: @escaping @Sendable (Parts) -> Void,
      whenOver: @escaping @Sendable () -> Void = {}
    ) {
      let source = DispatchSource.makeUserDataOrSource(queue: queue)
      self.source = source
      source.setEventHandler { handler(Parts(rawValue: source.data)) }
      source.setCancelHandler(handler: whenOver)
      source.activate()
    }

    deinit { source.cancel() }

    /// Marks parts; an empty set calls nobody.
    func mark(_ parts: Parts) { source.or(data: parts.rawValue) }

    /// Ends it. A set that waits is lost.
    func cancel() { source.cancel() }
  }

  /// Tells the newest of a sensor's readings. Those that came before it, while the handler waited, are dropped.
  // Sendable because Dispatch's sources may be used on any thread.
  final class LatestReading: @unchecked Sendable {
    private let source: any DispatchSourceUserDataReplace

    init(
      queue: DispatchQueue, whenRead handler: @escaping @Sendable (UInt) -> Void,
      whenOver: @escaping @Sendable () -> Void = {}
    ) {
      let source = DispatchSource.makeUserDataReplaceSource(queue: queue)
      self.source = source
      source.setEventHandler { handler(source.data - 1) }
      source.setCancelHandler(handler: whenOver)
      source.activate()
    }

    deinit { source.cancel() }

    /// Sends a reading.
    func send(_ reading: UInt) {
      // A source takes 0 for "nothing happened": it would call nobody, and take away the reading that waits.
      precondition(reading < .max, "a reading is less than UInt.max")
      source.replace(data: reading + 1)
    }

    /// Ends it. A reading that waits is lost.
    func cancel() { source.cancel() }
  }
}
