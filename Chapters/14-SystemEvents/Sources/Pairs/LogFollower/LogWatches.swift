import Dispatch

/// The watches of a follower, one for each file that it has open.
struct LogWatches {
  private let queue: DispatchQueue?
  private let wake: @Sendable () -> Void
  private var sources: [FileIdentity: FileSource] = [:]
  private let over = DispatchGroup()

  /// - Parameter wake: Called on the queue when there may be something to read.
  init(queue: DispatchQueue?, wake: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.wake = wake
  }

  /// Watches these files and no others.
  ///
  /// - Returns: Whether there is a new one, which has to be read once more: it may have changed before.
  /// - Throws: ``SystemError``; the other watches stay.
  mutating func watch(_ files: [OpenFile]) throws(SystemError) -> Bool {
    var isNew = false
    for file in files where sources[file.identity] == nil {
      // Through the descriptor that is read: where the path leads may be another file by now.
      let source = try FileSource(
        fileDescriptor: file.descriptor, eventMask: [.written, .deleted, .link, .renamed],
        queue: queue)
      source.setEventHandler(wake)
      over.enter()
      source.setCancelHandler { [over] in
        file.closeOnce()
        over.leave()
      }
      source.activate()
      sources[file.identity] = source
      isNew = true
    }
    let kept = Set(files.map(\.identity))
    for (identity, source) in sources where !kept.contains(identity) {
      source.cancel()
      sources[identity] = nil
    }
    return isNew
  }

  /// Lets go of all files, and calls a handler when they are closed.
  mutating func end(whenOver: @escaping @Sendable () -> Void) {
    for source in sources.values { source.cancel() }
    sources = [:]
    over.notify(queue: queue ?? .global(), execute: whenOver)
  }
}
