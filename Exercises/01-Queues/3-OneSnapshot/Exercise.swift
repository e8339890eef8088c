/// What is in a basket. The old code kept both numbers on a serial queue.
actor Basket {
  private(set) var items = 0
  private(set) var total = 0

  func addItems(_ more: Int) {
    items += more
  }

  func addPrice(_ more: Int) {
    total += more
  }
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

  /// Puts some items of one price into the basket.
  func put(_ quantity: Int, at price: Int) async {
    // Was: queue.async { items += quantity; total += quantity * price }
    await basket.addItems(quantity)
    await basket.addPrice(quantity * price)
  }

  /// What is in the basket.
  func summary() async -> Summary {
    // Was: queue.sync { Summary(items: items, total: total) }
    // TODO: Let each summary count what was put in with its price, or not at all.
    Summary(items: await basket.items, total: await basket.total)
  }
}
