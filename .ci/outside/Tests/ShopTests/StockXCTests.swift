import Interleaving
import Shop
import XCTest

final class StockXCTests: XCTestCase {
  func testTwoOrdersForOnePiece() async {
    let exploration = await explore(allowing: { $0 >= 0 }) {
      let stock = Stock(left: 1)
      async let first = stock.order { await Task.yield() }
      async let second = stock.order { await Task.yield() }
      _ = await (first, second)
      return await stock.left
    }
    XCTAssert(exploration.failures.isEmpty, exploration.description)
    XCTAssertFalse(exploration.completeness.isCutShort, exploration.completeness.description)
  }
}
