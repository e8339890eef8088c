import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

/// Tests that begin children run in processes of their own, where nobody else has any.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ProcessTests {
  typealias Ended = @Sendable (Result<TerminationStatus, SystemError>) -> Void

  struct Running: Sendable {
    let id: pid_t
    let send: @Sendable (SignalNumber) -> Bool
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let begin: @Sendable (Command, _ ended: @escaping Ended) throws(SystemError) -> Running

    static let all = [
      Form(testDescription: "source") { (command, ended) throws(SystemError) in
        let child = try Sourced.Child(
          spawning: command, queue: DispatchQueue(label: "child"), whenEnded: ended)
        return Running(id: child.id, send: { child.send($0) })
      },
      Form(testDescription: "async function") { (command, ended) throws(SystemError) in
        let child = try Async.Child(spawning: command)
        Task {
          do throws(SystemError) {
            ended(.success(try await child.exitStatus()))
          } catch { ended(.failure(error)) }
        }
        return Running(id: child.id, send: { child.send($0) })
      },
    ]

    /// Runs a command to its end.
    func run(_ command: Command) async throws -> Result<TerminationStatus, SystemError> {
      let ends = Deliveries<Result<TerminationStatus, SystemError>>()
      _ = try begin(command) { ends.append($0) }
      return await ends.wait(count: 1)[0]
    }
  }

  // MARK: How children end

  @Test func `the end of a child is told as it was`() async {
    await #expect(processExitsWith: .success) {
      let rows: [(String, TerminationStatus)] = [
        ("exit 0", .exited(0)), ("exit 1", .exited(1)), ("exit 255", .exited(255)),
        ("kill -TERM $$", .signalled(.terminate)), ("kill -KILL $$", .signalled(.kill)),
        ("kill -HUP $$", .signalled(.hangUp)),
        ("ulimit -c 0; kill -SEGV $$", .signalled(SignalNumber(SIGSEGV))),
        ("exit 143", .exited(143)),
      ]
      for form in Form.all {
        for (script, status) in rows {
          let end = try await form.run(shell(script))
          #expect(end == .success(status))
          #expect(!hasChildren)
        }
      }
    }
  }

  @Test func `of a hundred children at once none is missed, and none is left a zombie`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let ends = Deliveries<Result<TerminationStatus, SystemError>>()
        for number in 0..<100 {
          _ = try form.begin(shell("exit $1", "\(number)")) { ends.append($0) }
        }
        let statuses = await ends.wait(count: 100)
        #expect(
          statuses.compactMap { try? $0.get().description }.sorted()
            == (0..<100).map { "exited with \($0)" }.sorted())
        #expect(!hasChildren)
      }
    }
  }

  @Test func `a child that is begun on a queue gets signals, and none is blocked or ignored`() async
  {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let command = shell(
        // The C library has signals 32 and 33 ignored in every child.
        "grep -q 'SigBlk:.0*$' /proc/self/status && grep -q 'SigIgn:.*0000000$' /proc/self/status")
      for form in Form.all {
        let ends = Deliveries<Result<TerminationStatus, SystemError>>()
        DispatchQueue(label: "spawns").async {
          do { _ = try form.begin(command) { ends.append($0) } } catch { Issue.record(error) }
        }
        #expect(await ends.wait(count: 1) == [.success(.exited(0))])
      }
    }
  }

  @Test func `a child has no descriptor but the first three`() async {
    await #expect(processExitsWith: .success) {
      let descriptor = dup(0)
      let high = fcntl(0, F_DUPFD, 200)
      for form in Form.all {
        let command = shell(

          "[ -e /proc/$$/fd/2 ] && [ ! -e /proc/$$/fd/$1 ] && [ ! -e /proc/$$/fd/$2 ]",
          "\(descriptor)", "\(high)")
        let end = try await form.run(command)
        #expect(end == .success(.exited(0)))
      }
    }
  }

  @Test func `a child is reaped though nobody keeps it or waits`() async {
    await #expect(processExitsWith: .success) {
      let pipe = try NamedPipe()
      let command = pipe.shell("echo begun > $0; read line < $0.go")
      try #require(mkfifo(pipe.path + ".go", 0o600) == 0)
      let ends = Deliveries<Result<TerminationStatus, SystemError>>()
      _ = try Sourced.Child(spawning: command, queue: .global()) { ends.append($0) }
      let other = try Async.Child(spawning: command)
      await pipe.lines.wait(count: 2)
      let go = open(pipe.path + ".go", O_RDWR | O_CLOEXEC)
      _ = write(go, "1\n2\n", 4)
      #expect(await ends.wait(count: 1) == [.success(.exited(0))])
      #expect(await other.ending == .success(.exited(0)))
      #expect(!hasChildren)
    }
  }

  // MARK: Signals

  @Test func `a signal reaches a child, and none goes to the number of a reaped one`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let pipe = try NamedPipe()
        let ends = Deliveries<Result<TerminationStatus, SystemError>>()
        let script = "trap 'echo told > $0' USR1; echo begun > $0; while :; do sleep 0.01; done"
        let child = try form.begin(pipe.shell(script)) { ends.append($0) }
        await pipe.lines.wait(count: 1)
        #expect(child.send(.user1))
        #expect(await pipe.lines.wait(count: 2) == ["begun", "told"])
        #expect(child.send(.kill))
        #expect(await ends.wait(count: 1) == [.success(.signalled(.kill))])
        #expect(!child.send(.kill))
      }
    }
  }

  @Test func `a task that is cancelled ends its child, and waits for that`() async {
    await #expect(processExitsWith: .success) {
      let pipe = try NamedPipe()
      let child = try Async.Child(spawning: pipe.shell("echo begun > $0; exec sleep 1000"))
      let tasks = (0..<3).map { _ in Task { try await child.exitStatus() } }
      await pipe.lines.wait(count: 1)
      tasks[1].cancel()
      for task in tasks {
        let status = try await task.value
        #expect(status == .signalled(.terminate))
      }
      #expect(!hasChildren)
      // Also afterwards, and in a task that was cancelled before it asked.
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await child.exitStatus()
      }
      let status = try await late.value
      #expect(status == .signalled(.terminate))
    }
  }

  // MARK: Errors

  @Test(arguments: Form.all)
  func `what is no program is refused with its path and the reason`(_ form: Form) throws {
    let folder = try TemporaryFolder()
    folder.file("text", "text")
    folder.file("strange", "strange")
    #expect(chmod(folder.at("strange"), 0o755) == 0)
    let rows: [(Command, String)] = [
      (
        Command(path: folder.at("none")),
        "No such file or directory (error 2); pass the whole path of a program; no search path is used"
      ),
      (
        Command(path: folder.at("text")),
        "Permission denied (error 13); pass a file that may be executed, and is no folder"
      ),
      (
        Command(path: folder.path),
        "Permission denied (error 13); pass a file that may be executed, and is no folder"
      ),
      (
        Command(path: folder.at("strange")),
        "Exec format error (error 8); it is no program of this machine; a script begins with #!"
      ),
      (
        Command(path: "/bin/sh", arguments: ["-c", "exit\u{0}"]),
        "Invalid argument (error 22); leave null characters out of path, arguments and environment"
      ),
    ]
    for (command, text) in rows {
      let error = #expect(throws: SystemError.self) { _ = try form.begin(command) { _ in } }
      #expect(error?.description == "posix_spawn \(command.path): \(text)")
    }
  }

  @Test func `a child that the kernel has reaped is an error, and no status`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let ends = Deliveries<Result<TerminationStatus, SystemError>>()
        let child = try form.begin(Command(path: "/bin/sleep", arguments: ["1000"])) {
          ends.append($0)
        }
        signal(SIGCHLD, SIG_IGN)
        #expect(child.send(.kill))
        guard case .failure(let error) = await ends.wait(count: 1)[0] else { exit(1) }
        #expect(error.code == ECHILD)
        #expect(
          error.description
            == "waitid process \(child.id): No child processes (error 10); it is no child, or was "
            + "reaped by other code, or by the kernel as SIGCHLD is ignored")
      }
    }
  }

  @Test func `SIGCHLD that is ignored does not lose how children end`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        signal(SIGCHLD, SIG_IGN)
        for _ in 0..<20 {
          let end = try await form.run(shell("exit 7"))
          #expect(end == .success(.exited(7)))
        }
      }
    }
  }

  @Test func `a child that cannot be watched is ended, reaped and told of`() async {
    await #expect(processExitsWith: .success) {
      // A first one, so that Dispatch has its own descriptors.
      _ = try await Form.all[0].run(shell("exit 0"))
      let pipe = try NamedPipe()
      let command = pipe.shell("echo begun > $0; exec sleep 1000")
      for form in Form.all {
        let taken = takeDescriptors(leaving: 0)
        let error = #expect(throws: SystemError.self) { _ = try form.begin(command) { _ in } }
        for descriptor in taken { close(descriptor) }
        #expect(error?.call == "pidfd_open")
        #expect(error?.code == EMFILE)
        #expect(error?.description.hasSuffix("close descriptors that are not needed") == true)
        #expect(!hasChildren)
      }
    }
  }

  @Test func `ends print as sentences`() {
    #expect("\(TerminationStatus.exited(3))" == "exited with 3")
    #expect("\(TerminationStatus.signalled(.kill))" == "ended by SIGKILL")
  }
}
