import Dispatch
import Synchronization

extension Sourced {
  /// Follows a log by its path, through rotations, and hands its lines to a handler.
  // Sendable because all but the flag is used on the serial queue, or by nobody else when it is freed.
  final class LogFollower: @unchecked Sendable {
    private let queue: DispatchQueue
    private let whenEvent: @Sendable (LogEvent) -> Void
    private let whenOver: @Sendable ((any Error)?) -> Void
    private var reader: LogReader?
    private var watches: LogWatches?
    private let isStopped = Atomic(false)

    /// Begins with the first line of the log, or waits for the log to be created.
    ///
    /// - Parameters:
    ///   - queue: Where handlers run, one at a time.
    ///   - lineLimit: The longest line, in bytes.
    ///   - whenOver: Called once, after all descriptors are closed, with `nil` if it was stopped, and with
    ///     ``SystemError`` if the log cannot be followed any more.
    /// - Throws: ``SystemError`` if the log's folder is not there.
    init(
      path: String, queue: DispatchQueue, lineLimit: Int = 65_536,
      whenEvent: @escaping @Sendable (LogEvent) -> Void,
      whenOver: @escaping @Sendable ((any Error)?) -> Void
    ) throws(SystemError) {
      reader = try LogReader(path: path, lineLimit: lineLimit)
      self.queue = DispatchQueue(label: "log follower", target: queue)
      self.whenEvent = whenEvent
      self.whenOver = whenOver
      watches = LogWatches(queue: self.queue) { [weak self] in self?.look() }
      self.queue.async { [weak self] in self?.look() }
    }

    deinit { end(nil) }

    /// Stops following: the handler that runs is the last one.
    func stop() {
      isStopped.store(true, ordering: .relaxed)
      queue.async { self.end(nil) }
    }

    private func look() {
      do {
        while !isStopped.load(ordering: .relaxed), let events = try reader?.next() {
          if events.isEmpty, let files = reader?.watched {
            guard try watches?.watch(files) == true else { return }
          }
          for event in events where !isStopped.load(ordering: .relaxed) { whenEvent(event) }
        }
      } catch { end(error) }
    }

    private func end(_ error: (any Error)?) {
      guard var watches else { return }
      self.watches = nil
      // Files that are watched are closed when they are watched no more, the others here.
      reader = nil
      watches.end { [whenOver] in whenOver(error) }
    }
  }
}
