import Testing

@testable import Interleaving

@Suite struct VirtualTimeTests {
  @Test func `durations are rounded up to milliseconds, but for what a sum of dates is off`() {
    #expect(Duration.zero.milliseconds == 0)
    #expect(Duration.nanoseconds(1).milliseconds == 1)
    #expect(Duration.microseconds(300).milliseconds == 1)
    #expect(Duration.milliseconds(300).milliseconds == 300)
    #expect((Duration.milliseconds(300) + .nanoseconds(120)).milliseconds == 300)
    #expect((Duration.milliseconds(300) + .microseconds(1)).milliseconds == 301)
    #expect(Duration.seconds(3600).milliseconds == 3_600_000)
  }

  @Test func `who reads the clock again and again is taken to wait, longer each time`() {
    var clock = VirtualClock()
    var waits: [Int] = []
    for _ in 0..<200 {
      guard let wait = clock.read(by: StrandID(1), at: Place(1)) else { continue }
      waits.append(wait)
      clock.advance(to: clock.now + wait)
    }
    #expect(waits == [1, 2, 4, 8])
    // What another reads, or the same elsewhere, is counted by itself.
    #expect(clock.read(by: StrandID(2), at: Place(1)) == nil)
    // Once time has passed for another reason, it begins again.
    clock.advance(to: 1_000)
    let next = (0..<50).compactMap { _ in clock.read(by: StrandID(1), at: Place(1)) }
    #expect(next == [1])
  }
}
