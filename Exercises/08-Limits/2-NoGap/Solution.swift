/// Lets one task after the other into a section, first come, first served. It stays as it is.
actor Turns {
  private var isTaken = false
  private var line: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  private var lastID = 0

  /// Runs a section when all that came before have left theirs.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before its turn; what the section throws.
  nonisolated func take(_ section: @Sendable () async throws -> Void) async throws {
    try await wait()
    do { try await section() } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func wait() async throws {
    lastID += 1
    let id = lastID
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else if isTaken {
          line.append((id, continuation))
        } else {
          isTaken = true
          continuation.resume()
        }
      }
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    guard let index = line.firstIndex(where: { $0.id == id }) else { return }
    line.remove(at: index).continuation.resume(throwing: CancellationError())
  }

  private func leave() {
    if line.isEmpty { isTaken = false } else { line.removeFirst().continuation.resume() }
  }
}

/// Lets one request start in each interval, first come, first served.
///
/// The check uses `init(every:)` and `start()`.
actor RequestRate {
  private let interval: Duration
  // region state
  private let turns = Turns()
  private var next = ContinuousClock.now
  // endregion

  /// - Parameter interval: More than nothing.
  init(every interval: Duration) { self.interval = interval }

  // region start
  /// Returns when the caller may start.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func start() async throws {
    try await turns.take { try await self.sleepUntilDue() }
  }

  private func sleepUntilDue() async throws {
    let due = max(next, .now)
    try await Task.sleep(until: due, clock: .continuous)
    next = .now + interval
  }
  // endregion
}
