import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(30))) struct RandomStepTests {
  /// With STEPS, so many.
  @Test func `after each of many random steps the detector says what a model knows`() async {
    let wanted = ProcessInfo.processInfo.environment["STEPS"].flatMap(Int.init)
    let count = wanted ?? (isSanitized ? 2_000 : 15_000)
    let (steps, deadlocks, wrong) = await onThread { () -> (Int, Int, [String]) in
      var (steps, deadlocks) = (0, 0)
      var seed: UInt64 = 0
      while steps < count {
        seed += 1
        let run = RandomSteps(seed: seed)
        run.run(1_000)
        steps += run.steps
        deadlocks += run.deadlocks
        if !run.wrong.isEmpty {
          // Its threads go on with what they have.
          _ = Unmanaged.passRetained(run)
          return (steps, deadlocks, run.wrong.map { "seed \(seed), \($0)" })
        }
      }
      return (steps, deadlocks, [])
    }
    print("\(steps) random steps, \(deadlocks) deadlocks among them")
    #expect(wrong.isEmpty, "\(wrong)")
    #expect(steps >= count && deadlocks > count / 100)
  }
}
