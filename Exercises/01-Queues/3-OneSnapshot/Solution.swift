/// What is in a basket: both numbers change together, and are read together.
actor Basket {
  // region items
  private var items = 0
  private var total = 0
  // endregion

  // region add
  func add(_ quantity: Int, at price: Int) {
    items += quantity
    total += quantity * price
  }
  // endregion

  // region basketSummary
  func summary() -> Summary {
    Summary(items: items, total: total)
  }
  // endregion
}

/// What the page shows: the number of items, and what they cost together, in cents.
struct Summary: Sendable {
  let items: Int
  let total: Int
}

/// A shop with one basket.
///
/// The check uses `Shop.init`, `put` and `summary`, which stay async, and the properties of `Summary`.
struct Shop: Sendable {
  private let basket = Basket()

  // region put
  /// Puts some items of one price into the basket.
  func put(_ quantity: Int, at price: Int) async {
    await basket.add(quantity, at: price)
  }
  // endregion

  // region shopSummary
  /// What is in the basket.
  func summary() async -> Summary {
    await basket.summary()
  }
  // endregion
}
