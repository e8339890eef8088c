import ControlledDispatch
import Glibc
import Interleaving
import Testing

/// The reduction over random programs of descriptors and sources: against every schedule where these are few, else against
/// many that are drawn.
@Suite(unlessSanitized, .timeLimit(.minutes(60))) struct RandomDescriptorTests {
  @Test func `the reduction gives what other schedules give`() async {
    let seed: UInt64 = number("SEED") ?? 2026
    let count = number("DESCRIPTOR_PROGRAMS") ?? 10
    let limit = number("SCHEDULES") ?? 300
    var generator = SplitMix64(seed: seed)
    var (compared, tooLarge, schedules) = (0, 0, (others: 0, reduced: 0))
    while compared < count {
      let program = DescriptorProgram(using: &generator)
      let some = await explored(program, reduced, limit: 2_000)
      guard some.isComplete, some.schedules > 2 else {
        tooLarge += some.isComplete ? 0 : 1
        continue
      }
      for strategy in [Strategy.exhaustive, .random(seed: 1)] {
        let others = await explored(program, strategy, limit: limit)
        let missing = Set(others.outcomes.keys).subtracting(some.outcomes.keys)
        let new = Set(some.outcomes.keys).subtracting(others.outcomes.keys)
        let kinds = Set(some.failures.map(\.kind))
        let isWhole = others.isComplete
        #expect(
          missing.isEmpty && kinds.isSuperset(of: others.failures.map(\.kind))
            && (!isWhole || new.isEmpty && some.schedules <= others.schedules),
          """
          seed \(seed), program \(compared): \(program)
          missing \(missing), new \(isWhole ? new : []), \(kinds) and \(others.failures.map(\.kind)), \
          \(some.schedules) and \(others.schedules) schedules
          """)
        schedules.others += others.schedules
        if isWhole { break }
      }
      compared += 1
      schedules.reduced += some.schedules
    }
    print(
      "seed \(seed), \(compared) programs (SEED, DESCRIPTOR_PROGRAMS): \(schedules.reduced) schedules, compared with "
        + "\(schedules.others) (SCHEDULES: \(limit) a strategy); \(tooLarge) were too large")
  }

  private func explored(
    _ program: DescriptorProgram, _ strategy: Strategy, limit: Int
  ) async -> Exploration<[String]> {
    await ReportDetail.$wanted.withValue(.outcome) {
      await explore(strategy, limit: limit, time: .passesWhenIdle) {
        _ = Kernel.signal(SIGPIPE, SIG_IGN)
        return program.run()
      }
    }
  }
}
