#if canImport(CLinux)
  import Foundation
  import Synchronization

  /// What a file source is on Linux: a source of Dispatch in which events merge, and an inotify descriptor that is read
  /// on a queue of its own, so that its queue is short however long a handler runs.
  ///
  /// Bytes that are changed in mapped memory are not told. An extended attribute that is set in the same moment as a
  /// name is added or removed is told as `link` alone. A name that is added and removed again before a look is told as
  /// `attributes`.
  // Sendable because Dispatch's sources may be used on any thread.
  final class FileWatch: EventWatch, @unchecked Sendable {
    private struct State {
      var facts: FileFacts
      /// The time of the file's last change when another number of links was seen.
      var linksSeen: Int?
      var isActive = false
    }

    private let descriptor: Int32
    private let mask: FileEvents
    private let queue: DispatchQueue?
    private let inotify: Inotify
    private let reader: BalancedSource
    private let merged: any DispatchSourceUserDataOr
    private let state: Mutex<State>
    private let reading = DispatchGroup()

    init(descriptor: Int32, mask: FileEvents, queue: DispatchQueue?) throws(SystemError) {
      guard !mask.contains(.revoked) else {
        throw SystemError(
          call: "watch", place: "descriptor \(descriptor)", code: ENOTSUP,
          advice: "revoked is not available on Linux; leave it out")
      }
      guard let facts = FileFacts(descriptor: descriptor) else {
        throw .watchingFile("descriptor \(descriptor)", call: "fstat", code: errno)
      }
      let inotify = try Inotify(watching: descriptor, isFolder: facts.isFolder)
      let source = inotify.makeSource()
      self.descriptor = descriptor
      self.mask = mask
      self.queue = queue
      self.inotify = inotify
      reader = BalancedSource(source)
      merged = DispatchSource.makeUserDataOrSource(queue: queue)
      state = Mutex(State(facts: facts))
      reading.enter()
      source.setEventHandler { [weak self] in self?.look() }
      source.setCancelHandler { [reading] in
        inotify.close()
        reading.leave()
      }
    }

    var source: any DispatchSourceProtocol { merged }
    var data: FileEvents { FileEvents(rawValue: merged.data) }

    /// Calls a handler when neither side uses the descriptor any more.
    func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
      merged.setCancelHandler { [reading, queue] in
        reading.notify(queue: queue ?? .global(), execute: handler)
      }
    }

    /// Begins to read. As with Dispatch, what happened before is no event.
    func activate() {
      state.withLock { state in
        if !state.isActive {
          _ = inotify.takeNotices()
          state.facts = FileFacts(descriptor: descriptor) ?? state.facts
          state.isActive = true
        }
      }
      reader.activate()
    }

    func cancel() { reader.cancel() }

    /// Merges what inotify has told into what waits for the handler.
    func look() {
      state.withLock { state in
        guard state.isActive, !merged.isCancelled else { return }
        let (notices, isRenamed) = inotify.takeNotices()
        guard let facts = FileFacts(descriptor: descriptor) else { return }
        if facts.links != state.facts.links { state.linksSeen = facts.changed }
        let events = facts.events(
          since: state.facts, told: notices, linksSeen: state.linksSeen, wasRenamed: isRenamed)
        state.facts = facts
        // Under the lock: when `look` returns, all that happened before is merged. For none it calls nobody.
        merged.or(data: events.intersection(mask).rawValue)
      }
    }
  }
#endif
