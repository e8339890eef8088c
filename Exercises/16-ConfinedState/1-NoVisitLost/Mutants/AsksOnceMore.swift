// Looks right: after a change in the meantime the door is asked with the new number. Wrong: after that it may have become
// another one again.

extension VisitBook {
  // region visit
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    var number = count(of: guest) + 1
    try await door.admit(guest, visit: number)
    if number != count(of: guest) + 1 {
      number = count(of: guest) + 1
      try await door.admit(guest, visit: number)
    }
    try Task.checkCancellation()
    counts[guest] = number
    return number
  }
  // endregion
}
