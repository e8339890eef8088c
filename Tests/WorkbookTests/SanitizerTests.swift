import Synchronization
import Testing
import Workbook

/// Without the sanitizer this says little; with it, a report fails the test process.
@Suite struct SanitizerTests {
  @Test func `a contended Mutex is no race to the sanitizer`() {
    let count = Mutex(0)
    onTwoThreads {
      for _ in 0..<20_000 { count.withLock { $0 += 1 } }
    } _: {
      for _ in 0..<20_000 { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock(\.self) == 40_000)
  }
}
