extension PictureFlights {
  // region picture
  // TODO: Let a caller that is cancelled leave its flight, and the last one take the flight along.
  /// The picture of this name.
  ///
  /// - Throws: What its load throws; `CancellationError` if the caller is cancelled.
  func picture(_ name: String) async throws -> String {
    let id = nextID()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if flights[name] == nil { begin(name) }
        flights[name]?.waiters[id] = continuation
      }
    } onCancel: {
      Task { await leave(name, id) }
    }
  }

  private func leave(_ name: String, _ id: Int) {
    flights[name]?.task.cancel()
  }
  // endregion

  // region land
  private func land(_ name: String, _ id: Int, _ result: Result<String, any Error>) {
    guard let flight = flights.removeValue(forKey: name) else { return }
    for waiter in flight.waiters.values { waiter.resume(with: result) }
  }
  // endregion
}
