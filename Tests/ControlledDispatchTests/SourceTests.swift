import Interleaving
import Testing

@testable import RealPrograms
@testable import TwinPrograms

/// Sources of both kinds, each program with the real types and with the stand-ins.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct SourceTests {
  struct Program: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let real: @Sendable () -> [String]
    let twin: @Sendable () -> [String]
    let expected: [String]
    /// Whether any time may pass at any step, and what it hands over be another then.
    var isTimed = false
  }

  static let programs = [
    Program(
      testDescription: "adds up", real: Real.addsUp, twin: Twin.addsUp, expected: ["55"]),
    Program(
      testDescription: "joins bits", real: Real.joinsBits, twin: Twin.joinsBits,
      expected: ["2046 0 0"]),
    Program(
      testDescription: "keeps the last", real: Real.keepsTheLast, twin: Twin.keepsTheLast,
      expected: ["10"]),
    Program(
      testDescription: "suspends in its handlers", real: Real.suspendsInItsHandlers,
      twin: Twin.suspendsInItsHandlers, expected: ["told 1", "cancelled"]),
    Program(
      testDescription: "zero is nothing", real: Real.zeroIsNothing, twin: Twin.zeroIsNothing,
      expected: ["2"]),
    Program(
      testDescription: "is kept while the handler runs", real: Real.isKeptWhileTheHandlerRuns,
      twin: Twin.isKeptWhileTheHandlerRuns, expected: ["1", "still 1", "block", "5"]),
    Program(
      testDescription: "stays until cancelled", real: Real.staysUntilCancelled,
      twin: Twin.staysUntilCancelled, expected: ["0", "0", "5", "0 true"]),
    Program(
      testDescription: "registers first", real: Real.registersFirst, twin: Twin.registersFirst,
      expected: ["registered", "event 4", "block", "second block", "cancelled"]),
    Program(
      testDescription: "takes its place in the queue", real: Real.takesItsPlaceInTheQueue,
      twin: Twin.takesItsPlaceInTheQueue,
      expected: ["event 3", "block", "second block", "event 4", "third block"]),
    Program(
      testDescription: "cancels what waits", real: Real.cancelsWhatWaits,
      twin: Twin.cancelsWhatWaits, expected: ["cancelled", "block"]),
    Program(
      testDescription: "cancels in its handler", real: Real.cancelsInItsHandler,
      twin: Twin.cancelsInItsHandler, expected: ["event", "cancelling", "cancelled", "block"]),
    Program(
      testDescription: "is cancelled while inactive", real: Real.isCancelledWhileInactive,
      twin: Twin.isCancelledWhileInactive, expected: ["not yet", "cancelled"]),
    Program(
      testDescription: "is cancelled while suspended", real: Real.isCancelledWhileSuspended,
      twin: Twin.isCancelledWhileSuspended, expected: ["not yet", "cancelled"]),
    Program(
      testDescription: "takes other handlers", real: Real.takesOtherHandlers,
      twin: Twin.takesOtherHandlers, expected: ["second 1", "third 4", "item", "registered late"]),
    Program(
      testDescription: "runs alone on a concurrent queue", real: Real.runsAloneOnAConcurrentQueue,
      twin: Twin.runsAloneOnAConcurrentQueue,
      expected: ["begins 1", "beside", "ends", "begins 6", "ends"]),
    Program(
      testDescription: "runs on another queue", real: Real.runsOnAnotherQueue,
      twin: Twin.runsOnAnotherQueue, expected: ["queue", "other"]),
    Program(
      testDescription: "is released", real: Real.isReleased, twin: Twin.isReleased,
      expected: ["cancelled, then released"]),
    Program(
      testDescription: "resumes instead of activating", real: Real.resumesInsteadOfActivating,
      twin: Twin.resumesInsteadOfActivating, expected: ["inactive still", "event 1"]),
    Program(
      testDescription: "counts periods", real: Real.countsPeriods, twin: Twin.countsPeriods,
      expected: ["10", "then 10", "1"], isTimed: true),
    Program(
      testDescription: "fires again and again", real: Real.firesAgainAndAgain,
      twin: Twin.firesAgainAndAgain, expected: ["fires", "fires", "fires", "cancelled"],
      isTimed: true),
    Program(
      testDescription: "is scheduled anew", real: Real.isScheduledAnew, twin: Twin.isScheduledAnew,
      expected: ["not yet", "fires 1"], isTimed: true),
  ]

  @Test(arguments: programs)
  func `a source does what the real one does`(_ program: Program) async {
    #expect(program.real() == program.expected)
    let exploration = await explore(
      reduced, limit: 2_000, time: program.isTimed ? .passesWhenIdle : .passesAtAnyStep
    ) { program.twin() }
    #expect(Set(exploration.outcomes.keys) == [program.expected], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a timer fires as often where time may pass at any step`() async {
    let thrice = await explore(reduced) { Twin.firesAgainAndAgain() }
    #expect(Set(thrice.outcomes.keys) == [["fires", "fires", "fires", "cancelled"]])
    #expect(thrice.failures.isEmpty && thrice.isComplete, "\(thrice)")
  }

  @Test func `what ends the process`() async {
    await #expect(processExitsWith: .failure) { Real.resumesTooOften() }
    await expectTrap("resumes add source, which is active and not suspended") {
      Twin.resumesTooOften()
    }
    await #expect(processExitsWith: .failure) { Real.releasesInactive() }
    await expectTrap(
      "releases timer source, which is inactive: Dispatch wants it activated first"
    ) { Twin.releasesInactive() }
    await #expect(processExitsWith: .failure) { Real.releasesSuspended() }
    await expectTrap("releases add source, which is suspended: Dispatch wants it resumed first") {
      Twin.releasesSuspended()
    }
    await #expect(processExitsWith: .failure) { Real.repeatsBackwards() }
    await expectTrap("repeats timer source after -1000 ms, which Dispatch refuses") {
      Twin.repeatsBackwards()
    }
    await #expect(processExitsWith: .failure) { Real.addsToATimer() }
    await expectTrap("uses timer source as if it were one of another kind") {
      Twin.addsToATimer()
    }
  }

  /// All orders of up to three calls, and some longer ones.
  @Test(arguments: RealPrograms.Programs.MergingKind.allCases)
  func `in any order of calls a source does what the real one does`(
    _ kind: RealPrograms.Programs.MergingKind
  ) async {
    var orders: [[Int]] = [[]]
    for length in 0..<3 {
      orders += orders.filter { $0.count == length }.flatMap { order in (0..<5).map { order + [$0] }
      }
    }
    var generator = SplitMix64(seed: 20_261_130)
    for _ in 0..<40 {
      orders.append((0..<7).map { _ in Int.random(in: 0..<5, using: &generator) })
    }
    #expect(orders.count == 196)
    for order in orders {
      let said = RealPrograms.Programs.plays(
        order.map { RealPrograms.SourceCall.allCases[$0] }, on: kind)
      let exploration = await explore(.reduced(assuming: .controlledSharing)) {
        let twin: TwinPrograms.Programs.MergingKind =
          switch kind {
          case .add: .add
          case .or: .or
          case .replace: .replace
          }
        return TwinPrograms.Programs.plays(
          order.map { TwinPrograms.SourceCall.allCases[$0] }, on: twin)
      }
      #expect(Set(exploration.outcomes.keys) == [said], "\(order) \(exploration)")
      #expect(exploration.isComplete && exploration.failures.isEmpty, "\(order) \(exploration)")
    }
  }
}
