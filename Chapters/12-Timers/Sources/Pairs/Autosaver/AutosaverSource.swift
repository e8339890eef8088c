import Dispatch

extension Sourced {
  /// Saves a document each interval if it has changed, and when it is closed.
  ///
  /// Call it on any thread. But `write` and `report` must neither pause nor close it: they would wait for
  /// themselves, so Dispatch ends the process.
  // Sendable because `isClosed` is used on `queue` only.
  final class Autosaver: @unchecked Sendable {
    private let queue: DispatchQueue
    private let changes: Changes
    private let ticker: Ticker
    private var isClosed = false

    init(
      _ document: Document, every interval: Duration, leeway: Duration = .zero,
      write: @escaping Write, report: @escaping @Sendable (any Error) -> Void
    ) throws(TimingError) {
      let queue = DispatchQueue(label: "autosave", qos: .utility)
      let changes = Changes(of: document, write: write)
      ticker = try Ticker(every: interval, leeway: leeway, on: queue) { _ in
        do { try changes.save() } catch { report(error) }
      }
      self.queue = queue
      self.changes = changes
      ticker.start()
    }

    /// When it returns, no save is under way, and none begins before `resume()`.
    func pause() {
      ticker.pause()
      queue.sync {}
    }

    func resume() { ticker.resume() }

    /// Saves a last time. When it returns, no save is under way, and none begins.
    ///
    /// - Throws: What the last write throws; then the document is not saved, and another close tries again.
    func close() throws {
      ticker.stop()
      try queue.sync {
        guard !isClosed else { return }
        try changes.save()
        isClosed = true
      }
    }
  }
}
