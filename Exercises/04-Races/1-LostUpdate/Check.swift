import Interleaving
import InterleavingTesting
import Testing

/// What the check uses: an actor has it, and a class with a lock can have it, too.
private protocol Stock: Sendable {
  init(price: @escaping @Sendable (_ item: String) async -> Int)
  func receive(_ delivery: Delivery) async
  var units: Int { get async }
  var bookValue: Int { get async }
}

extension Warehouse: Stock {}

private struct Books: Hashable {
  let units: Int
  let bookValue: Int

  init(of stock: any Stock) async {
    units = await stock.units
    bookValue = await stock.bookValue
  }

  init(units: Int, bookValue: Int) {
    self.units = units
    self.bookValue = bookValue
  }
}

/// The price list: 300 pence for a cup; for a pot it takes longer to find the 500.
@Sendable private func price(of item: String) async -> Int {
  if item == "cup" { return 300 }
  await Task.yield()
  return 500
}

@Test func `no delivery is lost from the value, whatever the order`() async {
  let exploration = await explore(
    stopsAtFailure: true, allowing: [Books(units: 3, bookValue: 1100)].contains
  ) {
    let warehouse: any Stock = Warehouse(price: price)
    await withDiscardingTaskGroup { group in
      group.addTask(name: "A") { await warehouse.receive(Delivery(item: "cup", units: 2)) }
      group.addTask(name: "B") { await warehouse.receive(Delivery(item: "pot", units: 1)) }
    }
    return await Books(of: warehouse)
  }
  exploration.expectNoFailures()
}

@Test func `nor is one of three, two of them through one gate`() async {
  let right = Books(units: 5, bookValue: 1900)
  let exploration = await explore(stopsAtFailure: true, allowing: [right].contains) {
    let warehouse: any Stock = Warehouse(price: price)
    await withDiscardingTaskGroup { group in
      group.addTask(name: "A") {
        await warehouse.receive(Delivery(item: "cup", units: 1))
        await Task.yield()
        await warehouse.receive(Delivery(item: "cup", units: 2))
      }
      group.addTask(name: "B") { await warehouse.receive(Delivery(item: "pot", units: 2)) }
    }
    return await Books(of: warehouse)
  }
  exploration.expectNoFailures()
}

@Test func `each delivery is in the books, at its price, when receive returns`() async {
  let right = [Books(units: 2, bookValue: 600), Books(units: 5, bookValue: 2100)]
  let exploration = await explore(stopsAtFailure: true, allowing: [right].contains) {
    let warehouse: any Stock = Warehouse(price: price)
    var books: [Books] = []
    for delivery in [Delivery(item: "cup", units: 2), Delivery(item: "pot", units: 3)] {
      await warehouse.receive(delivery)
      books.append(await Books(of: warehouse))
    }
    return books
  }
  exploration.expectNoFailures()
}
