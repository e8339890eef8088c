import Synchronization

extension Async {
  /// A log that is followed by its path, through rotations, for one task. It reads when its task asks.
  ///
  /// It ends when the task is cancelled, and throws ``FileError`` when the log cannot be followed any more.
  final class FollowedLog: AsyncSequence, Sendable {
    private struct State {
      var reader: LogReader?
      var watches: LogWatches?
    }

    private let state: Mutex<State>
    private let changes: Merged<Void>
    private let whenClosed: @Sendable () -> Void

    /// Begins with the first line of the log, or waits for the log to be created.
    ///
    /// - Parameters:
    ///   - lineLimit: The longest line, in bytes.
    ///   - whenClosed: Called once, after all descriptors are closed.
    /// - Throws: ``FileError`` if the log's folder is not there.
    init(
      path: String, lineLimit: Int = 65_536, whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(FileError) {
      let reader = try LogReader(path: path, lineLimit: lineLimit)
      let changes = Merged<Void>(.newest)
      let watches = LogWatches(queue: nil) { changes.send(()) }
      state = Mutex(State(reader: reader, watches: watches))
      self.changes = changes
      self.whenClosed = whenClosed
    }

    deinit { close() }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let log: FollowedLog
      private var events: ArraySlice<LogEvent> = []

      fileprivate init(log: FollowedLog) { self.log = log }

      mutating func next(isolation: isolated (any Actor)?) async throws(any Error) -> LogEvent? {
        while !Task.isCancelled {
          if let event = events.popFirst() { return event }
          guard let more = try await log.more(isolation: isolation) else { break }
          events = more[...]
        }
        log.close()
        return nil
      }
    }

    /// Makes what one task reads with.
    func makeAsyncIterator() -> Iterator { Iterator(log: self) }

    private func more(isolation: isolated (any Actor)?) async throws -> [LogEvent]? {
      do {
        while let events = try read() {
          if !events.isEmpty { return events }
          let change = changes.makeAsyncIterator()
          guard await change.next(isolation: isolation) != nil else { break }
        }
      } catch {
        close()
        throw error
      }
      return nil
    }

    /// Reads until there is something, or nothing but new files to wait for. Gives `nil` when it is over.
    private func read() throws -> [LogEvent]? {
      try state.withLock { state in
        while let events = try state.reader?.next(), let files = state.reader?.watched {
          guard events.isEmpty else { return events }
          guard try state.watches?.watch(files) == true else { return [] }
        }
        return nil
      }
    }

    private func close() {
      let watches = state.withLock { state in
        state.reader = nil
        defer { state.watches = nil }
        return state.watches
      }
      guard var watches else { return }
      changes.finish()
      watches.end(whenOver: whenClosed)
    }
  }
}
