// Looks right: if the value has changed meanwhile, it is read and priced again. Wrong: the second time is
// like the first, and nobody compares after it.

/// What came in at the gate.
struct Delivery: Sendable {
  let item: String
  let units: Int
}

/// Counts the units in stock, and keeps what they are worth, in pence.
///
/// The check uses `Delivery`, `init(price:)`, `receive(_:)`, `units` and `bookValue`.
actor Warehouse {
  /// What all units cost when they came in.
  private(set) var bookValue = 0
  private(set) var units = 0

  /// Asks for the price of one unit. The price list is on another machine, so this takes time. It
  /// stays as it is.
  private let price: @Sendable (_ item: String) async -> Int

  init(price: @escaping @Sendable (_ item: String) async -> Int) {
    self.price = price
  }

  func receive(_ delivery: Delivery) async {
    units += delivery.units
    var before = bookValue
    var price = await price(delivery.item)
    if bookValue != before {
      before = bookValue
      price = await self.price(delivery.item)
    }
    bookValue = before + delivery.units * price
  }
}
