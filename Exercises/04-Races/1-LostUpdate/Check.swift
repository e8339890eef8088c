import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses: an actor has it, and a class with a lock can have it, too.
private protocol Stock: Sendable {
  init(price: @escaping @Sendable (_ item: String) async -> Int)
  func receive(_ delivery: Delivery) async
  var units: Int { get async }
  var bookValue: Int { get async }
}

extension Warehouse: Stock {}

/// What the books say.
@Sendable private func books(of stock: any Stock) async -> String {
  "\(await stock.units) units, worth \(await stock.bookValue)"
}

/// The price list: 300 pence for a cup; for a pot it takes longer to find the 500.
@Sendable private func price(of item: String) async -> Int {
  if item == "cup" { return 300 }
  await Task.yield()
  return 500
}

/// The books when some deliveries have come in, each through a gate of its own, one after the other there.
@Sendable private func books(after gates: [[Delivery]]) async -> String {
  let warehouse: any Stock = Warehouse(price: price)
  await withDiscardingTaskGroup { group in
    for (gate, deliveries) in zip(["A", "B", "C", "D"], gates) {
      group.addTask(name: gate) {
        for delivery in deliveries { await warehouse.receive(delivery) }
      }
    }
  }
  return await books(of: warehouse)
}

private func cups(_ units: Int) -> Delivery { Delivery(item: "cup", units: units) }
private func pots(_ units: Int) -> Delivery { Delivery(item: "pot", units: units) }

/// Three deliveries have more orders than there is time for.
private let some = Orders.upTo(classes: 250, preempted: 100, drawn: 50)

@Test func `no delivery is lost from the value, whatever the order`() async {
  await everyOrder(gives: "3 units, worth 1100") { await books(after: [[cups(2)], [pots(1)]]) }
}

@Test func `nor is one of three, two of them through one gate`() async {
  await everyOrder(gives: "5 units, worth 1900", within: some) {
    await books(after: [[cups(1), cups(2)], [pots(2)]])
  }
}

@Test func `nor is one of three through three gates`() async {
  await everyOrder(gives: "7 units, worth 2500", within: some) {
    await books(after: [[cups(4)], [cups(1)], [pots(2)]])
  }
}

@Test func `nor is one of two that are alike`() async {
  await everyOrder(gives: "4 units, worth 2000") { await books(after: [[pots(2)], [pots(2)]]) }
}

@Test func `each delivery is in the books, at its price, when receive returns`() async {
  await everyOrder(gives: "2 units, worth 600; 5 units, worth 2100; 6 units, worth 2400") {
    let warehouse: any Stock = Warehouse(price: price)
    var texts: [String] = []
    for delivery in [cups(2), pots(3), cups(1)] {
      await warehouse.receive(delivery)
      texts.append(await books(of: warehouse))
    }
    return texts.joined(separator: "; ")
  }
}

@Test func `so it is for a delivery during which another one comes in`() async {
  await everyOrder(gives: 600, 1100) {
    let warehouse: any Stock = Warehouse(price: price)
    async let other: Void = warehouse.receive(pots(1))
    await warehouse.receive(cups(2))
    let value = await warehouse.bookValue
    await other
    return value
  }
}

@Test func `a delivery costs what its price is when it comes in`() async {
  await everyOrder(gives: "2 units, worth 700") {
    let prices = Prices([300, 400])
    let warehouse: any Stock = Warehouse { _ in await prices.next() }
    await warehouse.receive(cups(1))
    await warehouse.receive(cups(1))
    return await books(of: warehouse)
  }
}

@Test func `also while the old price of another one is on its way`() async {
  await everyOrder(gives: "2 units, worth 700") {
    let list = PriceList(300)
    let warehouse: any Stock = Warehouse { _ in await list.price() }
    async let first: Void = warehouse.receive(cups(1))
    for await _ in list.untilAsked {}
    await list.set(400)
    await warehouse.receive(cups(1))
    await first
    return await books(of: warehouse)
  }
}

/// A price that takes a while to come, and is then that of the moment when it was asked for.
private actor PriceList {
  nonisolated let untilAsked: AsyncStream<Void>
  private let isAsked: AsyncStream<Void>.Continuation
  private var current: Int

  init(_ current: Int) {
    self.current = current
    (untilAsked, isAsked) = AsyncStream.makeStream(of: Void.self)
  }

  func set(_ price: Int) { current = price }

  func price() async -> Int {
    let price = current
    isAsked.finish()
    await Task.yield()
    return price
  }
}

/// A price that changes each time.
private actor Prices {
  private var prices: [Int]
  init(_ prices: [Int]) { self.prices = prices.reversed() }
  func next() -> Int { prices.popLast() ?? 0 }
}
