import Synchronization

extension Async {
  /// A log that is followed by its path, through rotations, for one task. It reads when its task asks.
  ///
  /// It ends when the task is cancelled, and throws ``SystemError`` when the log cannot be followed any more.
  final class FollowedLog: AsyncSequence, Sendable {
    private struct State {
      var reader: LogReader?
      var watches: LogWatches?
      /// What was read and is not told yet.
      var events: ArraySlice<LogEvent> = []
    }

    private let state: Mutex<State>
    private let changes: Merged<Void>
    private let whenClosed: @Sendable () -> Void

    /// Begins with the first line of the log, or waits for the log to be created.
    ///
    /// - Parameters:
    ///   - lineLimit: The longest line, in bytes.
    ///   - whenClosed: Called once, after all descriptors are closed.
    /// - Throws: ``SystemError`` if the log's folder is not there.
    init(
      path: String, lineLimit: Int = 65_536, whenClosed: @escaping @Sendable () -> Void = {}
    ) throws(SystemError) {
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

      func next(isolation: isolated (any Actor)?) async throws(any Error) -> LogEvent? {
        try await log.next(isolation: isolation)
      }
    }

    /// Makes what one task reads with. A loop that is left takes nothing along.
    func makeAsyncIterator() -> Iterator { Iterator(log: self) }

    private func next(isolation: isolated (any Actor)?) async throws -> LogEvent? {
      defer { if Task.isCancelled { close() } }
      do {
        while !Task.isCancelled {
          if let event = try nextEvent() { return event }
          let change = changes.makeAsyncIterator()
          guard await change.next(isolation: isolation) != nil else { return nil }
        }
        return nil
      } catch {
        close()
        throw error
      }
    }

    /// What comes next, or `nil` if it has to be waited for.
    private func nextEvent() throws -> LogEvent? {
      try state.withLock { state in
        while state.events.isEmpty, let events = try state.reader?.next() {
          state.events = events[...]
          guard events.isEmpty, let files = state.reader?.watched else { break }
          guard try state.watches?.watch(files) == true else { break }
        }
        return state.events.popFirst()
      }
    }

    private func close() {
      let watches = state.withLock { state in
        state.reader = nil
        state.events = []
        defer { state.watches = nil }
        return state.watches
      }
      guard var watches else { return }
      changes.finish()
      watches.end(whenOver: whenClosed)
    }
  }
}
