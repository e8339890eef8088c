import ControlledDispatch
import Interleaving
import Testing

/// What reports call those who wait and what they wait for.
@Suite struct WordingTests {
  @Test func `who waits for a condition waits for a signal of it, by its name`() async {
    let exploration = await explore(reduced) {
      let condition = NSCondition()
      condition.name = "news"
      strands({ condition.withLock { condition.wait() } }, { condition.signal() })
    }
    #expect(
      exploration.failures.map(\.message) == [
        "nothing can go on; this is a suspected deadlock, since at least one wait has no holder that is known: "
          + "A waits for a signal of NSCondition news"
      ], "\(exploration)")
  }

  @Test func `a lock is called by the name that it was given`() async {
    let exploration = await explore(reduced) {
      let lock = NSLock()
      lock.name = "cache"
      strands({
        lock.lock()
        lock.lock()
      })
    }
    #expect(
      exploration.failures.map(\.message) == [
        "a cycle of 1: A waits for NSLock cache, held by A"
      ], "\(exploration)")
  }

  @Test func `a deadlock in which the strands have changed their parts is one failure`() async {
    let exploration = await explore(reduced) {
      let turn = Shared(0)
      let locks = [NSLock(), NSLock()]
      let body: @Sendable () -> Void = {
        let own = turn.value
        turn.value = own + 1
        locks[own % 2].withLock { locks[(own + 1) % 2].withLock {} }
      }
      strands(body, body)
    }
    let deadlocks = exploration.failures.filter { $0.kind == .deadlock }
    #expect(deadlocks.count == 1, "\(exploration)")
    #expect(deadlocks.first?.schedules ?? 0 >= 2, "\(exploration)")
  }
}
