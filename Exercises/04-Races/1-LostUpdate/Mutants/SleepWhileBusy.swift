// Looks right: whoever comes while a price is awaited sleeps first. Wrong: a sleep says nothing about the
// price list, and the value is still read before the price is awaited.

extension Warehouse {
  // region bookValue
  /// What all units cost when they came in.
  private(set) var bookValue = 0
  private(set) var units = 0
  private var isPricing = false
  // endregion

  // region receive
  func receive(_ delivery: Delivery) async {
    units += delivery.units
    if isPricing { try? await Task.sleep(for: .seconds(1)) }
    isPricing = true
    defer { isPricing = false }
    let before = bookValue
    let price = await price(delivery.item)
    bookValue = before + delivery.units * price
  }
  // endregion
}
