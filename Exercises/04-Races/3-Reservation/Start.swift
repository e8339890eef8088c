extension Ferry {
  // region book
  // TODO: Sell no metre twice, and take no money for a metre that is not there.
  /// Books metres on the deck, and pays for them.
  ///
  /// - Parameters:
  ///   - metres: How many, 1 or more.
  ///   - pay: Takes the money, which takes a while; it throws if no money was taken.
  /// - Throws: `Full` if there are too few metres, and then nothing is paid; or what `pay` threw, and then
  ///   nothing is booked.
  func book(_ metres: Int, paying pay: @Sendable () async throws -> Void) async throws {
    guard free >= metres else { throw Full() }
    try await pay()
    free -= metres
  }
  // endregion
}
