import Dispatch

extension Async {
  /// What happens to the file that a path leads to, for one task. What comes before the task asks is one set.
  ///
  /// It ends after `deleted` and `revoked`, and when the task is cancelled.
  final class FileWatcher: AsyncSequence, Sendable {
    /// The file; it is closed when the sequence is over.
    let file: OpenFile
    private let changes = Merged<FileEvents>(.union)
    private let source: FileSource

    /// Opens the file and begins. What happens from now on is told.
    ///
    /// - Parameter whenClosed: Called once, after the file is closed.
    /// - Throws: ``SystemError``.
    init(
      path: String, events: FileEvents, whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(SystemError) {
      let file = try OpenFile(path: path)
      self.file = file
      source = try FileSource(
        fileDescriptor: file.descriptor, eventMask: events,
        queue: DispatchQueue(label: "file watcher"))
      source.setEventHandler { [weak source, changes] in
        guard let events = source?.data else { return }
        changes.send(events)
        if !events.isDisjoint(with: .last) { changes.finish() }
      }
      source.setCancelHandler {
        file.closeOnce()
        whenClosed()
      }
      source.activate()
    }

    deinit { source.cancel() }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let watcher: FileWatcher

      func next(isolation: isolated (any Actor)?) async -> FileEvents? {
        let events = await watcher.changes.makeAsyncIterator().next(isolation: isolation)
        if events == nil { watcher.source.cancel() }
        return events
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(watcher: self) }
  }
}
