import Dispatch

extension Sourced {
  /// Tells a handler what happens to the file that a path leads to, under whatever name it goes later.
  final class FileWatcher: Sendable {
    /// The file; it is closed when the watcher is over.
    let file: OpenFile
    private let source: FileSource

    /// Opens the file and begins. What happens from now on is told.
    ///
    /// - Parameters:
    ///   - whenChanged: Called with all that has happened since the last call. After `deleted` or `revoked` nothing
    ///     more comes.
    ///   - whenOver: Called once, after the file is closed.
    /// - Throws: ``SystemError``.
    init(
      path: String, events: FileEvents, queue: DispatchQueue,
      whenChanged: @escaping @Sendable (FileEvents, OpenFile) -> Void,
      whenOver: @escaping @Sendable () -> Void = {}
    ) throws(SystemError) {
      let file = try OpenFile(path: path)
      // Closed with its last reference if this fails.
      let source = try FileSource(
        fileDescriptor: file.descriptor, eventMask: events, queue: queue)
      self.file = file
      self.source = source
      source.setEventHandler { [weak source] in
        guard let source else { return }
        let events = source.data
        whenChanged(events, file)
        if !events.isDisjoint(with: .last) { source.cancel() }
      }
      source.setCancelHandler {
        file.closeOnce()
        whenOver()
      }
      source.activate()
    }

    deinit { cancel() }

    /// Stops telling. The file is closed when the handler has returned.
    func cancel() { source.cancel() }
  }
}
