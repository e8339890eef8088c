extension Clocked {
  /// Saves a document each interval if it has changed, and when it is closed.
  actor Autosaver {
    private let document: Document
    private let write: @Sendable (Document.Version) async throws -> Void
    private let report: @Sendable (any Error) -> Void
    private var saved = 0
    private var isPaused = false
    private var resumption: AsyncStream<Never>.Continuation?

    init(
      _ document: Document, write: @escaping @Sendable (Document.Version) async throws -> Void,
      report: @escaping @Sendable (any Error) -> Void
    ) {
      self.document = document
      self.write = write
      self.report = report
    }

    /// Saves until its task is cancelled, and then a last time. Nothing else ends it, paused or not.
    ///
    /// - Throws: What the last write throws; then the document is not saved, and another run tries again.
    func run(
      every interval: Duration, tolerance: Duration? = nil,
      on clock: any Clock<Duration> = SuspendingClock()
    ) async throws {
      for await _ in try Ticker(every: interval, on: clock, tolerance: tolerance) {
        await untilResumed()
        if Task.isCancelled { break }
        do { try await save() } catch { report(error) }
      }
      try await save()
    }

    /// When it returns, no save begins before `resume()`. One that is under way goes on.
    func pause() { isPaused = true }

    func resume() {
      isPaused = false
      resumption?.finish()
    }

    private func untilResumed() async {
      while isPaused, !Task.isCancelled {
        let (resumed, resumption) = AsyncStream.makeStream(of: Never.self)
        self.resumption = resumption
        // It ends when the task is cancelled, too.
        for await _ in resumed {}
      }
    }

    private func save() async throws {
      let version = document.version
      guard version.number != saved else { return }
      // A task of its own, because a write that finds its task cancelled may give up.
      try await Task { try await write(version) }.value
      saved = version.number
    }
  }
}
