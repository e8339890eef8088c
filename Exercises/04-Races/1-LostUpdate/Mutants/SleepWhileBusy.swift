// Looks right: whoever comes while a price is awaited sleeps first. Wrong: a sleep says nothing about the
// price list, and the value is still read before the price is awaited.

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
  private var isPricing = false

  /// Asks for the price of one unit. The price list is on another machine, so this takes time. It
  /// stays as it is.
  private let price: @Sendable (_ item: String) async -> Int

  init(price: @escaping @Sendable (_ item: String) async -> Int) {
    self.price = price
  }

  func receive(_ delivery: Delivery) async {
    units += delivery.units
    if isPricing { try? await Task.sleep(for: .seconds(1)) }
    isPricing = true
    defer { isPricing = false }
    let before = bookValue
    let price = await price(delivery.item)
    bookValue = before + delivery.units * price
  }
}
