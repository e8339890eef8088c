extension IsolatedByHalves {
  /// Sells one ticket; the buyer checks, pays, then takes.
  actor Tickets {
    private(set) var left = 1
    private(set) var sold = 0

    func sell() {
      left -= 1
      sold += 1
    }

    /// Says whether there was one left to buy.
    nonisolated func buy(paying pay: @Sendable () async -> Void) async -> Bool {
      guard await left > 0 else { return false }
      await pay()
      await sell()
      return true
    }
  }
}
