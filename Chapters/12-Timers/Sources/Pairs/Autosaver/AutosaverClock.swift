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

    /// Saves until its task is cancelled, and then a last time. Call it once.
    ///
    /// - Throws: What the last write throws; then the document is not saved.
    func run(every interval: Duration, on clock: any Clock<Duration> = ContinuousClock())
      async throws
    {
      for await _ in try Ticker(every: interval, on: clock) {
        await untilResumed()
        if Task.isCancelled { break }
        do { try await save() } catch { report(error) }
      }
      // A task of its own, because the write would find this one cancelled.
      try await Task { try await save() }.value
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
      try await write(version)
      saved = version.number
    }
  }
}
