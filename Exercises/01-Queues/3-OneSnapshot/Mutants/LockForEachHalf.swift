// Looks right: both numbers are behind locks, and nothing is awaited. Wrong: between the two locks a summary sees the
// items without their price.

import Synchronization

/// What is in a basket, each number behind a lock of its own.
final class Basket: Sendable {
  private let items = Mutex(0)
  private let total = Mutex(0)

  func add(_ quantity: Int, at price: Int) {
    items.withLock { $0 += quantity }
    total.withLock { $0 += quantity * price }
  }

  func summary() -> Summary {
    Summary(items: items.withLock { $0 }, total: total.withLock { $0 })
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
    basket.add(quantity, at: price)
  }

  /// What is in the basket.
  func summary() async -> Summary {
    basket.summary()
  }
}
