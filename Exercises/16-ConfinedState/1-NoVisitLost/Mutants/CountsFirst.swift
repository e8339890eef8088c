// Looks right: the number is taken before the await, so nobody else has it. Wrong: if the door refuses, it is given back,
// and somebody may have got a higher one by then.

extension VisitBook {
  // region visit
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    counts[guest, default: 0] += 1
    let number = count(of: guest)
    do {
      try await door.admit(guest, visit: number)
      try Task.checkCancellation()
    } catch {
      counts[guest, default: 0] -= 1
      throw error
    }
    return number
  }
  // endregion
}
