// Looks right: the summary is read in one call. Wrong: what is read is changed in two, and a summary
// comes in between.

extension Basket {
  // region add
  func addItems(_ more: Int) {
    items += more
  }

  func addPrice(_ more: Int) {
    total += more
  }
  // endregion
}

extension Shop {
  // region put
  func put(_ quantity: Int, at price: Int) async {
    await basket.addItems(quantity)
    await basket.addPrice(quantity * price)
  }
  // endregion
}
