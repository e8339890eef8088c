import Testing

@testable import Interleaving

@Suite struct RaceDetectorTests {
  @Test func `races of one execution are all kept`() {
    let races = RaceDetector(findsLines: false)
    for _ in 1...2 {
      races.reset(isPossible: true, isNeeded: true)
      for strand in [1, 2] {
        races.begin(StrandID(strand), in: strand)
        for number in 0..<1_500 {
          races.access(.variable(number), "variable \(number)", isWrite: true)
        }
      }
      #expect(races.findRaces().count == 1_500)
    }
  }
}
