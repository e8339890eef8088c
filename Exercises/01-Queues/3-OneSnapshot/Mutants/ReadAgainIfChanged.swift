// Looks right: whoever finds that the number of items has changed meanwhile reads again. Wrong: the
// second reading has the same gap as the first.

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
    let first = await read()
    return await basket.items == first.items ? first : await read()
  }

  private func read() async -> Summary {
    let items = await basket.items
    let total = await basket.total
    return Summary(items: items, total: total)
  }
}
