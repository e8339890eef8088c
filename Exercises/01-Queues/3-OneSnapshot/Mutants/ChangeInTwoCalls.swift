// Looks right: the summary is read in one call. Wrong: what is read is changed in two, and a summary
// comes in between.

/// What is in a basket.
actor Basket {
  private var items = 0
  private var total = 0

  func addItems(_ more: Int) {
    items += more
  }

  func addPrice(_ more: Int) {
    total += more
  }

  func summary() -> Summary {
    Summary(items: items, total: total)
  }
}

/// What the page shows: the number of items, and what they cost together, in cents.
struct Summary: Sendable {
  let items: Int
  let total: Int
}

/// A shop with one basket.
struct Shop: Sendable {
  private let basket = Basket()

  func put(_ quantity: Int, at price: Int) async {
    await basket.addItems(quantity)
    await basket.addPrice(quantity * price)
  }

  func summary() async -> Summary {
    await basket.summary()
  }
}
