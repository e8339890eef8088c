// Looks right: it compares, and begins again. Wrong: a visit that is cancelled while the door thinks is counted.

extension VisitBook {
  // region visit
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    while true {
      let number = count(of: guest) + 1
      try await door.admit(guest, visit: number)
      if number == count(of: guest) + 1 {
        counts[guest] = number
        return number
      }
    }
  }
  // endregion
}
