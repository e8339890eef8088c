// Looks right: check and act are one step. Wrong: if the payment fails, the metres stay taken.

extension Ferry {
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
    try await pay()
  }
  // endregion
}
