import Foundation
import InterleavingTesting
import PlainPrograms
import Testing

@testable import Interleaving

/// Code that is not instrumented, as this is not, beside code that is.
@Suite struct WatchingTests {
  private final class Count: @unchecked Sendable {
    var value = 0
  }

  @Test func `a plain variable of code that is not instrumented is not seen`() async {
    let exploration = await explore {
      let count = Count()
      async let first: Void = { count.value += 1 }()
      async let second: Void = { count.value += 1 }()
      _ = await (first, second)
      return count.value
    }
    #expect(exploration.failures.isEmpty && Set(exploration.outcomes.keys) == [2])
    #expect(exploration.completeness == .complete(assuming: [.actorIsolation]))
  }

  @Test(.enabled(if: !SwiftRuntime.isSanitized))
  func `who calls instrumented code and is not is named`() async {
    let exploration = await explore {
      let counter = LockedCounter()
      async let first: Void = counter.increment()
      async let second: Void = counter.increment()
      _ = await (first, second)
      return counter.value
    }
    #expect(
      exploration.completeness
        == .complete(
          assuming: [.unwatchedSharing(modules: ["InterleavingTests"])]),
      "\(exploration)")
    #expect("\(exploration.completeness)".contains("InterleavingTests, compiled without"))
  }

  @Test func `a shared variable may be a property`() async {
    final class Counter: @unchecked Sendable {
      @Shared var value = 0
      @Shared("sum") var sum = 0
    }
    let exploration = await explore {
      let counter = Counter()
      async let first: Void = { counter.value += 1 }()
      async let second: Void = { counter.value += 1 }()
      _ = await (first, second)
      counter.sum += counter.value
      return counter.sum
    }
    #expect(exploration.failures.map(\.kind) == [.race], "\(exploration)")
    // Each reads and writes, and the other may come between.
    #expect(Set(exploration.outcomes.keys) == [1, 2])
  }

  @Test func `a lock that goes through libc is seen in code that is not instrumented`() async {
    let exploration = await explore {
      let locks = [NSLock(), NSLock()]
      @Sendable func take(_ first: Int, _ second: Int) {
        locks[first].withLock { locks[second].withLock {} }
      }
      async let one: Void = take(0, 1)
      async let other: Void = take(1, 0)
      _ = await (one, other)
    }
    withKnownIssue("locks are not seen beside a sanitizer") {
      #expect(Set(exploration.failures.map(\.kind)) == [.deadlock], "\(exploration)")
      #expect(exploration.failures.first?.message.contains("a cycle of 2") == true)
    } when: {
      SwiftRuntime.isSanitized
    }
  }
}
