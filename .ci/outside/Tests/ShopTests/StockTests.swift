import Interleaving
import InterleavingTesting
import Shop
import Testing

@Test func `two orders for one piece`() async {
  let exploration = await explore(allowing: { $0 >= 0 }) {
    let stock = Stock(left: 1)
    async let first = stock.order { await Task.yield() }
    async let second = stock.order { await Task.yield() }
    _ = await (first, second)
    return await stock.left
  }
  exploration.expectNoFailures()
}
