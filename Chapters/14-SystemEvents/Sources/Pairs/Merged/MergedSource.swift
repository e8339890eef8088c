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
}
