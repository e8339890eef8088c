// Looks right: the total changes last, so the total is read first. Wrong: any order of two reads has
// a gap, and the whole change fits into it.

/// What is in a basket.
actor Basket {
  private(set) var items = 0
  private(set) var total = 0

  func add(_ quantity: Int, at price: Int) {
    items += quantity
    total += quantity * price
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
    await basket.add(quantity, at: price)
  }

  func summary() async -> Summary {
    let total = await basket.total
    let items = await basket.items
    return Summary(items: items, total: total)
  }
}
