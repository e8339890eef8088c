/// Who decides about visits. It stays as it is.
protocol Door: Sendable {
  /// - Throws: Whatever speaks against the visit with this number.
  func admit(_ guest: String, visit number: Int) async throws
}

/// How often each guest has visited.
///
/// The check uses `init(door:)`, `visit(_:)` and `count(of:)`.
actor VisitBook {
  private let door: any Door
  private var counts: [String: Int] = [:]
  // region state
  // endregion

  init(door: any Door) { self.door = door }

  func count(of guest: String) -> Int { counts[guest, default: 0] }

  // region visit
  /// Counts a visit, if the door admits the guest with its number.
  ///
  /// - Returns: The number.
  /// - Throws: What the door throws; `CancellationError`.
  func visit(_ guest: String) async throws -> Int {
    while true {
      let number = count(of: guest) + 1
      try await door.admit(guest, visit: number)
      try Task.checkCancellation()
      if number == count(of: guest) + 1 {
        counts[guest] = number
        return number
      }
    }
  }
  // endregion
}
