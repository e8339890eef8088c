import Testing
import Workbook

@testable import Limits

@Suite(.timeLimit(.minutes(30))) struct RateLimitTests {
  @Test func `three that call at once start at exactly 0, 100 and 200 ms`() async throws {
    let clock = VirtualClock()
    let limit = RateLimit(every: .milliseconds(100), on: clock)
    let begin = clock.now
    let starts = AsyncStream.makeStream(of: Duration.self)
    for _ in 0..<3 {
      Task {
        try await limit.start()
        starts.continuation.yield(begin.duration(to: clock.now))
      }
    }
    var next = starts.stream.makeAsyncIterator()
    #expect(await next.next() == .zero)
    for number in 1...2 {
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(100))
      #expect(await next.next() == .milliseconds(100 * number))
    }
  }

  @Test func `time that goes by unused is not saved up`() async throws {
    let clock = VirtualClock()
    let limit = RateLimit(every: .milliseconds(100), on: clock)
    try await limit.start()
    clock.advance(by: .seconds(10))
    try await limit.start()
    let third = Task { try await limit.start() }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(99))
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(1))
    try await third.value
  }

  @Test func `a caller that is cancelled leaves its time to the next`() async throws {
    let clock = VirtualClock()
    let limit = RateLimit(every: .milliseconds(100), on: clock)
    try await limit.start()
    let second = Task { try await limit.start() }
    await clock.waitForSleepers(1)
    let third = Task { try await limit.start() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(100))
    try await third.value
  }
}
