import ControlledDispatch
import Foundation
import Interleaving
import Synchronization
import Testing

@testable import RealPrograms
@testable import TwinPrograms

/// Signals, their sources, and processes, besides what the table of `DescriptorTests` has of them.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct SignalTests {
  private typealias Real = RealPrograms.Programs
  private typealias Twin = TwinPrograms.Programs

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
