import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import SystemEvents

/// Tests that begin children run in processes of their own, where nobody else has any.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ProcessTests {
  typealias Running = (id: pid_t, send: @Sendable (SignalNumber) -> Bool, ends: Deliveries<String>)

  enum Form: String, CaseIterable, Codable {
    case source, function

    /// Begins a child, and says its end, or the error, as it is printed.
    func begin(_ command: Command) throws(SystemError) -> Running {
      let ends = Deliveries<String>()
      switch self {
      case .source:
        let child = try Sourced.Child(spawning: command, queue: DispatchQueue(label: "child")) {
          do { try ends.append("\($0.get())") } catch { ends.append("\(error)") }
        }
        return (child.id, { child.send($0) }, ends)
      case .function:
        let child = try Async.Child(spawning: command)
        Task {
          do { try await ends.append("\(child.exitStatus())") } catch { ends.append("\(error)") }
        }
        return (child.id, { child.send($0) }, ends)
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `each end is told as it was, and no child has anything of ours`(_ form: Form) async {
    await #expect(processExitsWith: .success) { [form = form as Form] in
      signal(SIGHUP, SIG_IGN)
      let (low, high) = (dup(0), fcntl(0, F_DUPFD, 200))
      let rows: KeyValuePairs<String, String> = [
        "exit 0": "exited with 0", "exit 143": "exited with 143", "exit 255": "exited with 255",
        "kill -TERM $$": "ended by SIGTERM", "kill -KILL $$": "ended by SIGKILL",
        "kill -HUP $$": "ended by SIGHUP", "ulimit -c 0; kill -SEGV $$": "ended by SIGSEGV",
        // It gets signals: none is blocked or ignored, but 32 and 33, which the C library has ignored in every child.
        "grep -q 'SigBlk:.0*$' /proc/self/status": "exited with 0",
        "grep -q 'SigIgn:.*0000000$' /proc/self/status": "exited with 0",
        // It has no descriptor but the first three.
        "[ -e /proc/$$/fd/2 ] && [ ! -e /proc/$$/fd/\(low) ] && [ ! -e /proc/$$/fd/\(high) ]":
          "exited with 0",
      ]
      for (script, end) in rows {
        // That this process ignores SIGCHLD does not lose how children end.
        signal(SIGCHLD, SIG_IGN)
        let begun: Result<Running, any Error> = await result { done in
          DispatchQueue(label: "spawns").async { done(Result { try form.begin(shell(script)) }) }
        }
        let child = try begun.get()
        #expect(await child.ends.wait(count: 1) == [end], "\(script)")
        #expect(!hasChildren)
        #expect(!child.send(.kill))
      }
      // Of a hundred at once none is missed, though nobody keeps them; and for one nobody waits.
      let other = try Async.Child(spawning: shell("exit 100"))
      let all = try (0..<100).map { try form.begin(shell("exit \($0)")).ends }
      for (number, ends) in all.enumerated() {
        #expect(await ends.wait(count: 1) == ["exited with \(number)"])
      }
      #expect(await other.ending == .success(.exited(100)))
      #expect(!hasChildren)
    }
  }

  @Test func `a task that is cancelled ends its child, and waits for that`() async {
    await #expect(processExitsWith: .success) {
      let child = try Async.Child(spawning: shell("exec sleep 1000"))
      let tasks = (0..<3).map { _ in Task.immediate { try await child.exitStatus() } }
      tasks[1].cancel()
      for task in tasks { #expect(try await task.value == .signalled(.terminate)) }
      #expect(!hasChildren)
      // Also afterwards, and in a task that was cancelled before it asked.
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await child.exitStatus()
      }
      #expect(try await late.value == .signalled(.terminate))
    }
  }

  @Test(arguments: Form.allCases)
  func `what is no program is refused with its path and the reason`(_ form: Form) throws {
    let folder = try TemporaryFolder()
    folder.file("text", "text")
    folder.file("strange", "strange")
    #expect(chmod(folder.at("strange"), 0o755) == 0)
    let rows: [(path: String, code: Int32, advice: String)] = [
      (folder.at("none"), ENOENT, "pass the whole path of a program; no search path is used"),
      (folder.at("text"), EACCES, "pass a file that may be executed, and is no folder"),
      (folder.path, EACCES, "pass a file that may be executed, and is no folder"),
      (folder.at("strange"), ENOEXEC, "it is no program of this machine; a script begins with #!"),
      ("/bin/sh", EINVAL, "leave null characters out of path, arguments and environment"),
    ]
    for (path, code, advice) in rows {
      let command = Command(path: path, arguments: code == EINVAL ? ["-c", "exit\u{0}"] : [])
      let error = #expect(throws: SystemError.self) { _ = try form.begin(command) }
      #expect(error == SystemError(call: "posix_spawn", place: path, code: code, advice: advice))
    }
  }

  @Test(arguments: Form.allCases)
  func `a child that cannot be watched, or that others reap, is an error`(_ form: Form) async {
    await #expect(processExitsWith: .success) { [form = form as Form] in
      // A first one, so that Dispatch has its own descriptors.
      try await form.begin(shell("exit 0")).ends.wait(count: 1)
      let taken = takeDescriptors(leaving: 0)
      let error = #expect(throws: SystemError.self) { _ = try form.begin(shell("exec sleep 1000")) }
      for descriptor in taken { close(descriptor) }
      #expect(error?.call == "pidfd_open")
      #expect(error?.code == EMFILE)
      #expect(error?.description.hasSuffix("close descriptors that are not needed") == true)
      #expect(!hasChildren)
      let child = try form.begin(shell("exec sleep 1000"))
      // Now the kernel reaps it.
      signal(SIGCHLD, SIG_IGN)
      #expect(child.send(.kill))
      let text =
        "waitid process \(child.id): No child processes (error 10); it is no child, or was "
        + "reaped by other code, or by the kernel as SIGCHLD is ignored"
      #expect(await child.ends.wait(count: 1) == [text])
    }
  }
}

/// A shell that runs a script.
func shell(_ script: String) -> Command { Command(path: "/bin/sh", arguments: ["-c", script]) }

/// Whether this process has a child, running or not yet reaped.
private var hasChildren: Bool {
  var info = siginfo_t()
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0
}
