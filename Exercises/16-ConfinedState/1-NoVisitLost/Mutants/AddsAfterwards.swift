// Looks right: it adds to the count as it is after the await. Wrong: the door has admitted another number.

extension VisitBook {
  // region visit
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    try await door.admit(guest, visit: count(of: guest) + 1)
    try Task.checkCancellation()
    counts[guest, default: 0] += 1
    return count(of: guest)
  }
  // endregion
}
