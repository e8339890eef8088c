// Looks right: a caller that is cancelled leaves, and the others stay. Wrong: when all have left, the load goes on for
// nobody.

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
    guard let waiter = flights[name]?.waiters.removeValue(forKey: id) else { return }
    waiter.resume(throwing: CancellationError())
  }
  // endregion
}
