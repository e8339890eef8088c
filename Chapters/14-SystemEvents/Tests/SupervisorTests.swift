import ChapterTesting
import Dispatch
import Foundation
import Testing
import Workbook

@testable import SystemEvents

/// Supervisors with real children, in processes of their own.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SupervisorTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Begins, and gives what ends it.
    let begin:
      @Sendable (
        Supervision, VirtualClock, _ report: @escaping @Sendable (String) -> Void,
        _ ended: @escaping @Sendable ((any Error)?) -> Void
      ) throws -> @Sendable () -> Void

    static let all = [
      Form(testDescription: "source") { supervision, clock, report, ended in
        let supervisor = try Sourced.Supervisor(
          supervision, grace: .seconds(5),
          later: { delay, block in
            Task {
              try? await clock.sleep(for: delay)
              block()
            }
          }, report: report, whenEnded: ended)
        return { supervisor.terminate() }
      },
      Form(testDescription: "task") { supervision, clock, report, ended in
        let supervisor = Async.Supervisor(
          supervision: supervision, grace: .seconds(5), clock: clock, report: report)
        let task = Task {
          do {
            try await supervisor.run()
            ended(nil)
          } catch { ended(error) }
        }
        return { task.cancel() }
      },
    ]
  }

  /// A supervisor that has begun.
  struct Running: Sendable {
    let clock = VirtualClock()
    let reports = Deliveries<String>()
    let ends = Deliveries<String>()
    let terminate: @Sendable () -> Void

    init(_ form: Form, _ commands: [Command], restarts: Int = 0) throws {
      let supervision = Supervision(of: commands, restarts: restarts, within: .seconds(3_600))
      let (reports, ends) = (reports, ends)
      terminate = try form.begin(
        supervision, clock, { reports.append($0) },
        { ends.append($0.map { "\($0)" } ?? "ended as told") })
    }

    func expectEnd(_ text: String = "ended as told") async {
      let all = await ends.wait(count: 1)
      #expect(all == [text])
      #expect(!hasChildren)
    }
  }

  /// Says its number, and sleeps.
  static let sleeper = "echo $$ > $0; exec sleep 1000"

  @Test func `SIGTERM ends the children, and then the supervisor`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let running = try Running(
          form, Array(repeating: pipe.shell(SupervisorTests.sleeper), count: 3))
        await pipe.lines.wait(count: 3)
        SignalNumber.terminate.sendHere()
        await running.expectEnd()
      }
    }
  }

  @Test func `it can be ended by code, also at once`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let running = try Running(form, [pipe.shell(SupervisorTests.sleeper)])
        await pipe.lines.wait(count: 1)
        running.terminate()
        await running.expectEnd()
        for _ in 0..<20 {
          let other = try Running(form, [Command(path: "/bin/sleep", arguments: ["1000"])])
          other.terminate()
          await other.ends.wait(count: 1)
          #expect(!hasChildren)
        }
      }
    }
  }

  @Test func `a child that ends is begun again`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let running = try Running(form, [pipe.shell(SupervisorTests.sleeper)], restarts: 5)
        for index in 0..<5 {
          let numbers = await pipe.lines.wait(count: index + 1)
          kill(pid_t(numbers[index])!, SIGKILL)
        }
        let numbers = await pipe.lines.wait(count: 6)
        #expect(Set(numbers).count == 6)
        running.terminate()
        await running.expectEnd()
      }
    }
  }

  @Test func `a child that ends too often ends the others, and the supervisor with an error`() async
  {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let failing = pipe.shell("echo begun > $0; exit 3")
        let running = try Running(
          form, [Command(path: "/bin/sleep", arguments: ["1000"]), failing], restarts: 2)
        await running.expectEnd(
          "\(failing): exited with 3; it had its 2 restarts within 3600.0 seconds; "
            + "mend it or allow more")
        #expect(await pipe.lines.wait(count: 3) == ["begun", "begun", "begun"])
      }
    }
  }

  @Test func `SIGHUP replaces the children, and counts no restart`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let running = try Running(
          form, Array(repeating: pipe.shell(SupervisorTests.sleeper), count: 2))
        await pipe.lines.wait(count: 2)
        for round in 1...5 {
          SignalNumber.hangUp.sendHere()
          await pipe.lines.wait(count: 2 * round + 2)
        }
        #expect(Set(pipe.lines.all).count == 12)
        running.terminate()
        await running.expectEnd()
      }
    }
  }

  @Test func `SIGUSR1 reports the children`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let command = pipe.shell(SupervisorTests.sleeper)
        let running = try Running(form, [command])
        let number = await pipe.lines.wait(count: 1)[0]
        SignalNumber.user1.sendHere()
        #expect(await running.reports.wait(count: 1) == ["\(command): runs as \(number)"])
        running.terminate()
        await running.expectEnd()
      }
    }
  }

  @Test func `a child that does not end in the grace period is killed`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let running = try Running(
          form,
          [
            pipe.shell("trap '' TERM; echo begun > $0; exec sleep 1000"),
            pipe.shell(SupervisorTests.sleeper),
          ])
        await pipe.lines.wait(count: 2)
        SignalNumber.terminate.sendHere()
        await running.clock.waitForSleepers(1)
        running.clock.advance(by: .seconds(4))
        #expect(running.ends.all.isEmpty)
        running.clock.advance(by: .seconds(1))
        await running.expectEnd()
      }
    }
  }

  @Test func `a child that does not end when it is replaced is killed, and replaced`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let running = try Running(
          form, [pipe.shell("trap '' TERM; echo begun > $0; exec sleep 1000")])
        await pipe.lines.wait(count: 1)
        SignalNumber.hangUp.sendHere()
        await running.clock.waitForSleepers(1)
        running.clock.advance(by: .seconds(5))
        await pipe.lines.wait(count: 2)
        running.terminate()
        await running.clock.waitForSleepers(1)
        running.clock.advance(by: .seconds(5))
        await running.expectEnd()
      }
    }
  }

  @Test func `a program that is not there ends the others, and the supervisor with an error`() async
  {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let running = try Running(
          form, [Command(path: "/bin/sleep", arguments: ["1000"]), Command(path: "/none")])
        await running.expectEnd(
          "/none: posix_spawn /none: No such file or directory (error 2); "
            + "pass the whole path of a program; no search path is used")
      }
    }
  }

  #if os(Linux)
    @Test func `a child that cannot be watched is reaped, and ends the supervisor with an error`()
      async
    {
      await #expect(processExitsWith: .success) {
        for form in Form.all {
          // A first one, so that Dispatch has its own descriptors.
          let first = try Running(form, [Command(path: "/bin/sleep", arguments: ["1000"])])
          first.terminate()
          await first.expectEnd()
          // As many as there are signals.
          let taken = takeDescriptors(leaving: 3)
          let running = try Running(form, [Command(path: "/bin/sleep", arguments: ["1000"])])
          await running.ends.wait(count: 1)
          for descriptor in taken { close(descriptor) }
          let end = running.ends.all[0]
          #expect(end.hasPrefix("/bin/sleep 1000: pidfd_open process "))
          #expect(
            end.hasSuffix("Too many open files (error 24); close descriptors that are not needed"))
          #expect(!hasChildren)
        }
      }
    }

    @Test func `twenty rounds of signals, children and supervisors leave nothing behind`() async {
      await #expect(processExitsWith: .success) {
        try await expectNothingLeft(after: 20, behindFirst: 20, fewerThan: 10, round)
        #expect(!hasChildren)
      }
    }
  #endif

  @Test func `a supervisor that has ended is freed`() async {
    await #expect(processExitsWith: .success) {
      let freed = Deliveries<Void>()
      let ended = Deliveries<Void>()
      do {
        let context = Context { freed.append(()) }
        let supervisor = try Sourced.Supervisor(
          Supervision(of: [Command(path: "/bin/true")], restarts: 1, within: .seconds(5)),
          grace: .seconds(5), report: { _ in context.touch() }, whenEnded: { _ in ended.append(()) }
        )
        _ = supervisor
      }
      await ended.wait(count: 1)
      await freed.wait(count: 1)
    }
  }
}

#if os(Linux)
  /// Everything once, on both sides, errors included; returns when all is over.
  private func round() async throws {
    for form in SignalTests.Form.all {
      let over = Deliveries<Void>()
      let told = Deliveries<SignalNumber>()
      let cancel = try await form.watch([.user2], { told.append($0) }, { over.append(()) })
      SignalNumber.user2.sendHere()
      await told.wait(count: 1)
      cancel()
      await over.wait(count: 1)
      await #expect(throws: SignalError.self) {
        _ = try await form.watch([.user2, .kill], { _ in }, {})
      }
    }
    for form in ProcessTests.Form.all {
      _ = try await form.run(Command(path: "/bin/true"))
      #expect(throws: ProcessError.self) { _ = try form.begin(Command(path: "/none")) { _ in } }
    }
    for form in SupervisorTests.Form.all {
      let running = try SupervisorTests.Running(
        form, [Command(path: "/bin/sleep", arguments: ["1000"])])
      SignalNumber.user1.sendHere()
      running.terminate()
      await running.ends.wait(count: 1)
      let failing = try SupervisorTests.Running(form, [Command(path: "/none")])
      await failing.ends.wait(count: 1)
    }
  }
#endif
