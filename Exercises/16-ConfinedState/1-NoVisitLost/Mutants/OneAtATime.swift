// Looks right: one visit after the other. Wrong: a guest waits while the door thinks about another one.

extension VisitBook {
  // region state
  private var last: Task<Void, Never>?
  // endregion

  // region visit
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    let previous = last
    let visit = Task {
      await previous?.value
      let number = count(of: guest) + 1
      try await door.admit(guest, visit: number)
      try Task.checkCancellation()
      counts[guest] = number
      return number
    }
    last = Task { _ = await visit.result }
    return try await withTaskCancellationHandler {
      try await visit.value
    } onCancel: {
      visit.cancel()
    }
  }
  // endregion
}
