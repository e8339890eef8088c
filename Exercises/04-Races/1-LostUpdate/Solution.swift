// region imports
// endregion

/// What came in at the gate.
struct Delivery: Sendable {
  let item: String
  let units: Int
}

/// Counts the units in stock, and keeps what they are worth, in pence.
///
/// The check uses `Delivery`, `init(price:)`, `receive(_:)`, `units` and `bookValue`.
actor Warehouse {
  // region bookValue
  /// What all units cost when they came in.
  private(set) var bookValue = 0
  private(set) var units = 0
  // endregion

  /// Asks for the price of one unit. The price list is on another machine, so this takes time. It
  /// stays as it is.
  private let price: @Sendable (_ item: String) async -> Int

  init(price: @escaping @Sendable (_ item: String) async -> Int) {
    self.price = price
  }

  // region receive
  func receive(_ delivery: Delivery) async {
    units += delivery.units
    let price = await price(delivery.item)
    bookValue += delivery.units * price
  }
  // endregion
}
