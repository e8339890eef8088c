import Interleaving
import InterleavingTesting
import Testing

@Test func `a summary counts what was put in with its price, or not at all`() async {
  let whole = ["items 0, total 0", "items 1, total 5", "items 3, total 15"]
  let exploration = await explore(stopsAtFailure: true, allowing: whole.contains) {
    let shop = Shop()
    let customer = Task(name: "customer") {
      await shop.put(1, at: 5)
      await Task.yield()
      await shop.put(2, at: 5)
    }
    let page = Task(name: "page") { await shop.summary() }
    await customer.value
    return await text(page.value)
  }
  exploration.expectNoFailures()
}

@Test func `a summary is whole when two put something in at the same time`() async {
  let whole = ["items 2, total 10", "items 3, total 15"]
  let exploration = await explore(stopsAtFailure: true, allowing: whole.contains) {
    let shop = Shop()
    let first = Task(name: "first") { await shop.put(1, at: 5) }
    let second = Task(name: "second") {
      await shop.put(2, at: 5)
      return await shop.summary()
    }
    let summary = await text(second.value)
    await first.value
    return summary
  }
  exploration.expectNoFailures()
}

@Test func `what was put in is in the next summary`() async {
  let summaries = ["items 0, total 0; items 1, total 5; items 3, total 25"]
  let exploration = await explore(stopsAtFailure: true, allowing: summaries.contains) {
    let shop = Shop()
    let empty = await text(shop.summary())
    await shop.put(1, at: 5)
    let one = await text(shop.summary())
    await shop.put(2, at: 10)
    let three = await text(shop.summary())
    return "\(empty); \(one); \(three)"
  }
  exploration.expectNoFailures()
}

private func text(_ summary: Summary) -> String {
  "items \(summary.items), total \(summary.total)"
}
