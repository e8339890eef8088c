import Interleaving
import Testing

@Suite struct OutcomeTests {
  @Test func first() async {
    print(await explore { 
      let c = Counter()
      async let a: Void = c.unsafeIncrement()
      async let b: Void = c.unsafeIncrement()
      _ = await (a, b)
      return await c.value
    })
  }
}
actor Counter {
  var value = 0
  func set(_ v: Int) { value = v }
  func unsafeIncrement() async { let v = value; await Task.yield(); value = v + 1 }
}
