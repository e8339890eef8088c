import Dispatch

extension ReadFirst {
  /// Follows a log by its path: reads it to its end, and then watches for more.
  // Sendable because all is used on the serial queue, or by nobody else when it is freed.
  final class LogFollower: @unchecked Sendable {
    private let queue: DispatchQueue
    private let whenEvent: @Sendable (LogEvent) -> Void
    private let whenOver: @Sendable () -> Void
    private var reader: LogReader
    private var watches: LogWatches?

    init(
      path: String, queue: DispatchQueue, whenEvent: @escaping @Sendable (LogEvent) -> Void,
      whenOver: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      reader = try LogReader(path: path, lineLimit: 65_536)
      self.queue = DispatchQueue(label: "log follower", target: queue)
      self.whenEvent = whenEvent
      self.whenOver = whenOver
      watches = LogWatches(queue: self.queue) { [weak self] in self?.look() }
      self.queue.async { [weak self] in self?.look() }
    }

    func stop() { queue.async { self.end() } }

    private func look() {
      guard watches != nil else { return }
      do {
        while case let events = try reader.next(), !events.isEmpty { events.forEach(whenEvent) }
        // All is read, and the next change is told.
        _ = try watches?.watch(reader.watched)
      } catch { end() }
    }

    private func end() {
      guard var watches else { return }
      self.watches = nil
      watches.end(whenOver: whenOver)
    }
  }
}
