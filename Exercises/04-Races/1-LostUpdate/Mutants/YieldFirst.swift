// Looks right: the yield lets others finish before the value is read. Wrong: it lets others begin, too,
// and the value is still read before the price is awaited.

extension Warehouse {
  // region receive
  func receive(_ delivery: Delivery) async {
    units += delivery.units
    await Task.yield()
    let before = bookValue
    let price = await price(delivery.item)
    bookValue = before + delivery.units * price
  }
  // endregion
}
