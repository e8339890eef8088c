// Looks right: the load of the last one is cancelled, and its error comes to all that wait. Wrong: it may never come.

extension PictureFlights {
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
    guard let flight = flights[name], flight.waiters[id] != nil else { return }
    if flight.waiters.count == 1 { flight.task.cancel() }
  }
  // endregion
}
