/// Loads pictures, each by one flight for all that wait for it.
///
/// The check uses `init(load:)` and `picture(_:)`.
actor PictureFlights {
  private struct Flight {
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: CheckedContinuation<String, any Error>] = [:]
  }

  private let load: @Sendable (String) async throws -> String
  private var flights: [String: Flight] = [:]
  private var lastID = 0

  init(load: @escaping @Sendable (String) async throws -> String) { self.load = load }

  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws; `CancellationError` if the caller is cancelled.
  func picture(_ name: String) async throws -> String {
    let id = nextID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
        if flights[name] == nil { begin(name) }
        flights[name]?.waiters[id] = continuation
      }
    } onCancel: {
      Task { await leave(name, id) }
    }
  }

  private func leave(_ name: String, _ id: Int) {
    guard let waiter = flights[name]?.waiters.removeValue(forKey: id) else { return }
    if flights[name]?.waiters.isEmpty == true {
      flights.removeValue(forKey: name)?.task.cancel()
    }
    waiter.resume(throwing: CancellationError())
  }
  // endregion

  // region land
  private func land(_ name: String, _ id: Int, _ result: Result<String, any Error>) {
    guard let flight = flights[name], flight.id == id else { return }
    flights[name] = nil
    for waiter in flight.waiters.values { waiter.resume(with: result) }
  }
  // endregion

  /// Begins a flight, for which nobody waits yet.
  private func begin(_ name: String) {
    let id = nextID()
    let task = Task { [load] in
      let result: Result<String, any Error>
      do { result = .success(try await load(name)) } catch { result = .failure(error) }
      land(name, id, result)
    }
    flights[name] = Flight(id: id, task: task)
  }

  private func nextID() -> Int {
    lastID += 1
    return lastID
  }
}
