import Interleaving
import InterleavingTesting
import Testing
import Till

@Test func `two registers add to one till`() async {
  let exploration = await explore(allowing: { $0 == 12 }) {
    let till = Till()
    async let first: Void = till.add(5)
    async let second: Void = till.add(7)
    _ = await (first, second)
    return till.takings
  }
  exploration.expectNoFailures()
}
