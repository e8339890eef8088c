// Looks right: if the value has changed meanwhile, it is read and priced again. Wrong: the second time is
// like the first, and nobody compares after it.

extension Warehouse {
  // region receive
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
  // endregion
}
