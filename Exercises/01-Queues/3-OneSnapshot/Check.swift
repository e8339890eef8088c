import ExerciseChecking
import Testing

@testable import Answer

@Test func `a summary counts what was put in with its price, or not at all`() async {
  await everyOrder(
    gives: "0 items for 0", "1 item for 5", "3 items for 19"
  ) {
    let shop = Shop()
    let customer = Task(name: "customer") {
      await shop.put(1, at: 5)
      await Task.yield()
      await shop.put(2, at: 7)
    }
    let page = Task(name: "page") { await shop.summary() }
    await customer.value
    return await text(page.value)
  }
}

@Test func `so it does while much is put in`() async {
  await everyOrder(
    gives: "0 items for 0", "1 item for 2", "2 items for 4", "3 items for 6", "4 items for 8",
    "5 items for 10"
  ) {
    let shop = Shop()
    let customer = Task(name: "customer") {
      for _ in 1...5 { await shop.put(1, at: 2) }
    }
    let page = Task(name: "page") { await shop.summary() }
    await customer.value
    return await text(page.value)
  }
}

@Test func `a summary is whole when two put something in at the same time`() async {
  await everyOrder(gives: "2 items for 14", "3 items for 19") {
    let shop = Shop()
    let first = Task(name: "first") { await shop.put(1, at: 5) }
    let second = Task(name: "second") {
      await shop.put(2, at: 7)
      return await shop.summary()
    }
    let summary = await text(second.value)
    await first.value
    return summary
  }
}

@Test func `nothing is lost when three put something in at the same time`() async {
  await everyOrder(gives: "7 items for 47") {
    let shop = Shop()
    await withDiscardingTaskGroup { group in
      for (quantity, price) in [(1, 5), (2, 7), (4, 7)] {
        group.addTask(name: "\(quantity) at \(price)") { await shop.put(quantity, at: price) }
      }
    }
    return await text(shop.summary())
  }
}

@Test func `so it is when two are alike`() async {
  await everyOrder(gives: "4 items for 20") {
    let shop = Shop()
    await withDiscardingTaskGroup { group in
      for name in ["A", "B"] { group.addTask(name: name) { await shop.put(2, at: 5) } }
    }
    return await text(shop.summary())
  }
}

@Test func `once put has returned, each summary counts it`() async {
  await everyOrder(gives: "0 items for 0, 1 item for 5, 3 items for 25, 4 items for 25") {
    let shop = Shop()
    var texts = [await text(shop.summary())]
    for (quantity, price) in [(1, 5), (2, 10), (1, 0)] {
      await shop.put(quantity, at: price)
      texts.append(await text(shop.summary()))
    }
    return texts.joined(separator: ", ")
  }
}

@Test func `so does one that is asked for while another one is on its way`() async {
  await everyOrder(gives: "1 item for 5") {
    let shop = Shop()
    async let other = shop.summary()
    await shop.put(1, at: 5)
    let summary = await text(shop.summary())
    _ = await other
    return summary
  }
}

@Test func `a put counts also if its task is cancelled`() async {
  await everyOrder(gives: "1 item for 5") {
    let shop = Shop()
    let customer = Task(name: "customer") { await shop.put(1, at: 5) }
    customer.cancel()
    await customer.value
    return await text(shop.summary())
  }
}

@Test func `two shops have a basket each`() async {
  await everyOrder(gives: "1 item for 5, 0 items for 0") {
    let (first, second) = (Shop(), Shop())
    await first.put(1, at: 5)
    return await "\(text(first.summary())), \(text(second.summary()))"
  }
}

private func text(_ summary: Summary) -> String {
  "\(summary.items) item\(summary.items == 1 ? "" : "s") for \(summary.total)"
}
