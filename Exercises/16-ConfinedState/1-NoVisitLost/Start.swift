extension VisitBook {
  // region visit
  // TODO: Lose no visit, and admit each with its own number.
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    let number = count(of: guest) + 1
    try await door.admit(guest, visit: number)
    counts[guest] = number
    return number
  }
  // endregion
}
