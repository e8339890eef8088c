extension Warehouse {
  // region receive
  // TODO: Make `bookValue` right, also when deliveries come in while a price is awaited.
  func receive(_ delivery: Delivery) async {
    units += delivery.units
    bookValue = await bookValue + delivery.units * price(delivery.item)
  }
  // endregion
}
