import ControlledDispatch
import Foundation
import Interleaving
import Synchronization
import Testing

@testable import RealPrograms
@testable import TwinPrograms

/// Signals, their sources, and processes: one table of programs, each with the real ones and with the stand-ins.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct SignalTests {
  private typealias Real = RealPrograms.Programs
  private typealias Twin = TwinPrograms.Programs

  struct Program: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let real: @Sendable () -> [String]
    let twin: @Sendable () -> [String]
    let expected: [String]
  }

  static let programs = [
    Program(
      testDescription: "tells each source", real: Real.tellsEachSource, twin: Twin.tellsEachSource,
      expected: ["0", "1: first 1", "1: first 1", "true 0", "1: first 1", "cancelled 0"]),
    Program(
      testDescription: "merges signals", real: Real.mergesSignals, twin: Twin.mergesSignals,
      expected: ["1: told 1", "1: told 1", "cancelled 0"]),
    Program(
      testDescription: "waits for the next", real: Real.waitsForTheNext, twin: Twin.waitsForTheNext,
      expected: ["cancelled 0", "1: next 1", "cancelled 0"]),
    Program(
      testDescription: "stays set back", real: Real.staysSetBack, twin: Twin.staysSetBack,
      expected: [
        "default", "default", "ignored", "cancelled 0", "handled", "handled", "ignored",
        "cancelled 0",
      ]),
    Program(
      testDescription: "refuses", real: Real.refusesSignals, twin: Twin.refusesSignals,
      expected: ["0", "-1", "true", "-1 true", "-1 true", "-1 true", "-1 0"]),
    Program(
      testDescription: "exits", real: Real.exits, twin: Twin.exits,
      expected: [
        "0", "exited 0", "0", "exited 0", "no child", "-1 true", "0", "exited 1", "0", "exited 1",
        "no child", "-1 true", "true",
      ]),
    Program(
      testDescription: "is sent signals", real: Real.isSentSignals, twin: Twin.isSentSignals,
      expected: [
        "runs", "0 0 0", "runs", "0", "killed 15", "runs", "0 0 0", "runs", "0", "killed 9",
      ]),
    Program(
      testDescription: "has descriptors", real: Real.hasDescriptors, twin: Twin.hasDescriptors,
      expected: [
        "0 false", "ended", "0", "1 true", "killed 1", "0 -1 true", "-1 true", "1 true",
      ]),
  ]

  // What is done with a signal belongs to the whole process.
  @Test(arguments: programs.indices)
  func `the real ones do what was measured`(_ index: Int) async {
    await #expect(processExitsWith: .success) { [index = index as Int] in
      let program = SignalTests.programs[index]
      let said = program.real()
      #expect(said == program.expected, "\(program.testDescription): \(said)")
    }
  }

  @Test(arguments: programs)
  func `the stand-ins do what the real ones do`(_ program: Program) async {
    let exploration = await explore(.reduced(assuming: .controlledSharing), limit: 20_000) {
      program.twin()
    }
    #expect(Set(exploration.outcomes.keys) == [program.expected], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a signal that comes before its source is registered is told, or lost`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) { Twin.comesEarly() }
    #expect(Set(exploration.outcomes.keys) == [["told 1"], []], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    await #expect(processExitsWith: .success) {
      let said = Real.comesEarly()
      #expect(said == ["told 1"] || said == [])
    }
  }

  @Test func `by default a signal ends the process`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      _ = Foundation.kill(getpid(), SIGTERM)
      // Threads of Dispatch block it, so another one has to get it.
      while true { sleep(1) }
    }
    let ignored = await explore(.exhaustive) {
      _ = Kernel.signal(SIGTERM, SIG_IGN)
      return Kernel.kill(getpid(), SIGTERM)
    }
    #expect(Set(ignored.outcomes.keys) == [0] && ignored.failures.isEmpty, "\(ignored)")
    for (number, name) in [(SIGTERM, "SIGTERM"), (SIGKILL, "SIGKILL"), (SIGPIPE, "SIGPIPE")] {
      let exploration = await explore(.exhaustive) { Kernel.kill(getpid(), number) }
      #expect(exploration.failures.map(\.kind) == [.trap], "\(exploration)")
      #expect("\(exploration)".contains("sends \(name), which ends the process"))
    }
  }

  @Test func `the number of a process that was reaped is given again`() async {
    let exploration = await explore(.exhaustive) {
      var (first, second, third): (pid_t, pid_t, pid_t) = (0, 0, 0)
      _ = Kernel.spawn(&first, "/bin/sleep")
      _ = Kernel.spawn(&second, "/bin/sleep")
      Kernel.kill(first, SIGKILL)
      Kernel.waitid(P_PID, id_t(first), nil, WEXITED)
      _ = Kernel.spawn(&third, "/bin/true")
      return first != second && third == first
    }
    #expect(Set(exploration.outcomes.keys) == [true], "\(exploration)")
  }

  @Test func `the reduction leaves no outcome out of processes that end as others begin`() async {
    func explored(_ strategy: Strategy) async -> Exploration<[Int32]> {
      await explore(strategy, limit: 300_000) {
        let queue = ControlledDispatch.DispatchQueue(label: "sender")
        let result = ControlledDispatch.Mutex<Int32>(1)
        var (first, second): (pid_t, pid_t) = (0, 0)
        _ = Kernel.spawn(&first, "/bin/true")
        queue.async { [first] in
          let sent = Kernel.kill(first, SIGTERM)
          result.withLock { $0 = sent }
        }
        let ended = end(of: first)
        _ = Kernel.spawn(&second, "/bin/sleep")
        queue.sync {}
        Kernel.kill(second, SIGKILL)
        return [ended, result.withLock { $0 }, end(of: second)]
      }
    }
    @Sendable func end(of process: pid_t) -> Int32 {
      var info = siginfo_t()
      Kernel.waitid(P_PID, id_t(process), &info, WEXITED)
      return info._sifields._sigchld.si_status
    }
    let (some, all) = (
      await explored(.reduced(assuming: .controlledSharing)), await explored(.exhaustive)
    )
    #expect(some.isComplete && all.isComplete, "\(some) \(all)")
    #expect(Set(some.outcomes.keys) == Set(all.outcomes.keys), "\(some) \(all)")
    // Ended by the signal; sent to nobody; sent to one that has ended; and to the next one.
    #expect(
      Set(all.outcomes.keys) == [[15, 0, 9], [0, -1, 9], [0, 0, 9], [0, 0, 15]], "\(all)")
  }

  @Test func `a function that a signal calls is called before the call that sends it returns`()
    async
  {
    let exploration = await explore(.exhaustive) {
      calls.store(0, ordering: .relaxed)
      _ = Kernel.signal(SIGUSR1) { calls.store(Int($0), ordering: .relaxed) }
      Kernel.kill(getpid(), SIGUSR1)
      return calls.load(ordering: .relaxed)
    }
    #expect(Set(exploration.outcomes.keys) == [Int(SIGUSR1)], "\(exploration)")
  }
}

private let calls = Synchronization.Atomic(0)
