/// Sells the car deck of a ferry, metre by metre.
///
/// The check uses `Full`, `init(metres:)`, `book(_:paying:)` and `free`.
actor Ferry {
  /// The deck has not that many metres left.
  struct Full: Error {}

  /// How many metres can still be booked.
  private(set) var free: Int

  init(metres: Int) {
    free = metres
  }

  // region book
  /// Books metres on the deck, and pays for them.
  ///
  /// - Parameters:
  ///   - metres: How many, 1 or more.
  ///   - pay: Takes the money, which takes a while; it throws if no money was taken.
  /// - Throws: `Full` if there are too few metres, and then nothing is paid; or what `pay` threw, and then
  ///   nothing is booked.
  func book(_ metres: Int, paying pay: @Sendable () async throws -> Void) async throws {
    guard free >= metres else { throw Full() }
    free -= metres
    do {
      try await pay()
    } catch {
      free += metres
      throw error
    }
  }
  // endregion
}
