import Dispatch

extension CancelOnly {
  /// Saves a document each interval. It is closed on the caller's thread, when the timer is cancelled.
  // Sendable because its source is: Dispatch guards what it is told.
  final class Autosaver: @unchecked Sendable {
    private let changes: Changes
    private let timer: any DispatchSourceTimer

    init(_ document: Document, every interval: Duration, write: @escaping Write) {
      let changes = Changes(of: document, write: write)
      timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "autosave"))
      timer.setEventHandler { try? changes.save() }
      timer.schedule(deadline: .now(), repeating: interval.interval)
      timer.activate()
      self.changes = changes
    }

    func close() throws {
      timer.cancel()
      try changes.save()
    }
  }

  /// The same as an actor: it is closed when its loop is cancelled, and the loop is not awaited.
  actor AsyncAutosaver {
    private let document: Document
    private let write: @Sendable (Document.Version) async throws -> Void
    private var saved = 0
    private var loop: Task<Void, any Error>?

    init(
      _ document: Document, write: @escaping @Sendable (Document.Version) async throws -> Void
    ) {
      self.document = document
      self.write = write
    }

    func start(every interval: Duration, on clock: any Clock<Duration>) {
      loop = Task {
        for await _ in try Clocked.Ticker(every: interval, on: clock) { try await save() }
      }
    }

    func close() async throws {
      loop?.cancel()
      try await save()
    }

    private func save() async throws {
      let version = document.version
      guard version.number != saved else { return }
      try await write(version)
      saved = version.number
    }
  }
}
