import Testing

@testable import Interleaving

@Suite struct VirtualTimeTests {
  @Test func `the roundest time that may have been meant`() {
    func said(_ meant: Duration, after moment: Duration) -> Int? {
      (meant - moment).asSaid(late: moment)
    }
    for milliseconds in [1, 2, 10, 15, 100, 250, 1_000, 1_500, 60_000, 3_600_000] {
      for moment in [Duration.zero, .microseconds(3), .microseconds(400)] {
        #expect(said(.milliseconds(milliseconds), after: moment) == milliseconds)
      }
    }
    #expect(said(.seconds(3600), after: .milliseconds(200)) == 3_600_000)
    #expect(said(.seconds(1), after: .milliseconds(15)) == 1_000)
    #expect(said(.milliseconds(2), after: .milliseconds(1)) == nil)
    #expect(said(.seconds(1), after: .milliseconds(200)) == nil)
  }
}
