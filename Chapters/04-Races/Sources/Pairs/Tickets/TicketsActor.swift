extension Isolated {
  /// Sells one ticket; check and act are one call, before the buyer pays.
  actor Tickets {
    private(set) var left = 1
    private(set) var sold = 0

    /// Says whether there was one left to buy.
    func buy(paying pay: @Sendable () async -> Void) async -> Bool {
      guard left > 0 else { return false }
      left -= 1
      sold += 1
      await pay()
      return true
    }
  }
}
