import ChapterTesting
import Dispatch
import Foundation
import Testing
import Workbook

@testable import SystemEvents

#if os(Linux)
  import CLinux
#endif

/// What the process source has of the interface of Dispatch's sources, and who watches a parent with it.
///
/// A child that has ended and is not reaped keeps Swift Testing from noticing the end of others, so none stays for long.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ProcessSourceTests {
  /// A source of a child that runs until it is told to end.
  private struct Subject {
    let child: OwnedChild
    let source: ProcessSource
    let queue = DispatchQueue(label: "process source")
    /// In order: `registered`, the events, `cancelled`.
    let calls = Deliveries<String>()

    init() throws {
      child = try OwnedChild(spawning: Command(path: "/bin/sleep", arguments: ["1000"]))
      source = try ProcessSource(identifier: child.id, eventMask: .exit, queue: queue)
      source.setRegistrationHandler { [calls] in calls.append("registered") }
      source.setEventHandler { [calls, weak source] in
        calls.append(source?.data.description ?? "freed")
      }
      source.setCancelHandler { [calls] in calls.append("cancelled") }
    }

    /// Ends the child, and returns when it has ended. It is not reaped.
    func endChild() async {
      child.send(.kill)
      await blocking { [child] in
        var info = siginfo_t()
        while waitid(P_PID, id_t(child.id), &info, WEXITED | WNOWAIT) == -1 && errno == EINTR {}
      }
    }
  }

  @Test func `it has a handle and a mask, and is told of the end with it`() async throws {
    let subject = try Subject()
    #expect(subject.source.handle == subject.child.id)
    #expect(subject.source.mask == .exit)
    subject.source.activate()
    await subject.calls.wait(count: 1)
    await subject.endChild()
    #expect(await subject.calls.wait(count: 2) == ["registered", "exit"])
    #expect(!subject.source.isCancelled)
    subject.source.cancel()
    #expect(subject.source.isCancelled)
    #expect(await subject.calls.wait(count: 3) == ["registered", "exit", "cancelled"])
    let status = try subject.child.reap()
    #expect(status == .signalled(.kill))
  }

  @Test func `before it is activated nothing is told, and afterwards an end of that time is`()
    async throws
  {
    let subject = try Subject()
    await subject.endChild()
    #expect(subject.calls.all.isEmpty)
    subject.source.activate()
    #expect(await subject.calls.wait(count: 2) == ["registered", "exit"])
    subject.source.cancel()
    await subject.calls.wait(count: 3)
    _ = try subject.child.reap()
  }

  @Test func `an end is told once, however long the child is not reaped`() async throws {
    let subject = try Subject()
    subject.source.activate()
    await subject.endChild()
    await subject.calls.wait(count: 2)
    // Others that end later have been told.
    for _ in 0..<5 {
      let other = try Async.Child(spawning: Command(path: "/bin/true"))
      _ = await other.ending
    }
    #expect(subject.calls.all == ["registered", "exit"])
    subject.source.cancel()
    await subject.calls.wait(count: 3)
    _ = try subject.child.reap()
  }

  @Test func `cancelled before the end, it tells nothing more`() async throws {
    let subject = try Subject()
    subject.source.activate()
    await subject.calls.wait(count: 1)
    subject.source.cancel()
    subject.source.cancel()
    await subject.calls.wait(count: 2)
    await subject.endChild()
    let other = try Async.Child(spawning: Command(path: "/bin/true"))
    _ = await other.ending
    #expect(subject.calls.all == ["registered", "cancelled"])
    _ = try subject.child.reap()
  }

  #if os(Linux)
    @Test(arguments: [
      (ProcessEvents.fork, "fork"), ([.exit, .exec, .signal] as ProcessEvents, "exec signal"),
    ])
    func `what Linux does not tell of is refused by name`(_ mask: ProcessEvents, _ names: String) {
      let error = #expect(throws: SystemError.self) {
        _ = try ProcessSource(identifier: getpid(), eventMask: mask)
      }
      #expect(
        error?.description
          == "watch process \(getpid()): Operation not supported (error 95); "
          + "\(names) is not available on Linux; ask for exit alone")
    }
  #endif

  @Test(arguments: [
    (
      pid_t.max as pid_t,
      "No such process (error 3); it has ended, or never was; watch a child before it is reaped"
    ),
    (0, "Invalid argument (error 22); pass the number of a process, 1 or more"),
    (-1, "Invalid argument (error 22); pass the number of a process, 1 or more"),
  ])
  func `a number that no process has is refused`(_ process: pid_t, _ text: String) {
    let error = #expect(throws: SystemError.self) {
      _ = try ProcessSource(identifier: process, eventMask: .exit)
    }
    #expect(error?.description == "pidfd_open process \(process): \(text)")
  }

  // MARK: A parent

  @Test func `a number that is not the parent's is a parent that is gone`() async throws {
    // This process lives and is not its own parent, and nobody has the other number.
    for parent in [getpid(), pid_t.max] {
      let told = Deliveries<Void>()
      let watch = try Sourced.ParentWatch(of: parent, queue: DispatchQueue(label: "parent")) {
        told.append(())
      }
      await told.wait(count: 1)
      #expect(watch.isParentGone)
      try await Async.ParentWatch(parent: parent).wait()
    }
  }

  @Test func `a watch of a parent can be cancelled`() async throws {
    let told = Deliveries<Void>()
    let queue = DispatchQueue(label: "parent")
    queue.suspend()
    // It is gone, and would be told when the queue goes on.
    let watch = try Sourced.ParentWatch(of: pid_t.max, queue: queue) { told.append(()) }
    watch.cancel()
    queue.resume()
    queue.sync {}
    #expect(!watch.isParentGone)
    #expect(told.all.isEmpty)
    let task = Task { try await Async.ParentWatch().wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  #if os(Linux)
    @Test func `a child whose parent is killed learns of it with a source, and ends`() async {
      await #expect(processExitsWith: .success) { try await loseParent("source") }
    }

    @Test func `a child whose parent is killed learns of it in a task, and ends`() async {
      await #expect(processExitsWith: .success) { try await loseParent("task") }
    }
  #endif
}

#if os(Linux)
  /// Begins a shell that begins this process once more, and kills the shell.
  private func loseParent(_ form: String) async throws {
    if let path = getenv("LOSE_PARENT").map({ String(cString: $0) }) {
      return try await watchParent(form, telling: path)
    }
    linux_adopt_orphans()
    let pipe = try NamedPipe()
    // As this process was begun, though it has taken its orders out of the environment.
    let variables = try Data(contentsOf: URL(filePath: "/proc/self/environ")).split(separator: 0)
    for variable in variables.map({ String(decoding: $0, as: UTF8.self) }) {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      setenv(String(parts[0]), String(parts[1]), 1)
    }
    setenv("LOSE_PARENT", pipe.path, 1)
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let arguments = CommandLine.arguments.dropFirst()
    let parent = try OwnedChild(
      spawning: Command(
        path: "/bin/sh", arguments: ["-c", "\"$0\" \"$@\" & wait", program] + arguments))
    #expect(await pipe.lines.wait(count: 1) == ["watching"])
    parent.send(.kill)
    _ = try parent.reap()
    #expect(await pipe.lines.wait(count: 2) == ["watching", "gone"])
    let status = await blocking {
      var info = siginfo_t()
      while waitid(P_ALL, 0, &info, WEXITED) == -1 && errno == EINTR {}
      return TerminationStatus(info)
    }
    #expect(status == .exited(0))
  }

  /// Says when the parent is watched and when it is gone, and ends the process.
  private func watchParent(_ form: String, telling path: String) async throws {
    let say = { (line: String) in
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      _ = write(descriptor, line + "\n", line.utf8.count + 1)
      close(descriptor)
    }
    if form == "source" {
      let gone = Deliveries<Void>()
      let watch = try Sourced.ParentWatch(queue: DispatchQueue(label: "parent")) { gone.append(()) }
      say("watching")
      await gone.wait(count: 1)
      say(watch.isParentGone ? "gone" : "told, and not gone")
    } else {
      let task = Task.immediate { try await Async.ParentWatch().wait() }
      say("watching")
      try await task.value
      say("gone")
    }
    exit(0)
  }
#endif
