import CLinux
import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import SystemEvents

/// What the process source has of the interface of Dispatch's sources, and who watches a parent with it.
///
/// A child that has ended and is not reaped keeps Swift Testing from noticing the end of others, so none stays long.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct ProcessSourceTests {
  enum Step { case activate, cancel, end }

  /// Also one from before it is activated is told, and none when it is cancelled.
  @Test(
    arguments: [
      ([.activate, .end], ["registered", "exit"]), ([.end, .activate], ["registered", "exit"]),
      ([.activate, .cancel, .cancel, .end], ["registered"]),
    ] as [([Step], [String])])
  func `an end is told once, or never`(_ steps: [Step], _ told: [String]) async throws {
    let child = try OwnedChild(spawning: shell("exec sleep 1000"))
    let source = try ProcessSource(
      identifier: child.id, eventMask: .exit, queue: DispatchQueue(label: "process source"))
    #expect(source.handle == child.id)
    #expect(source.mask == .exit)
    let calls = Deliveries<String>()
    source.setRegistrationHandler { calls.append("registered") }
    source.setEventHandler { [weak source] in calls.append(source?.data.description ?? "freed") }
    source.setCancelHandler { calls.append("cancelled") }
    for step in steps {
      switch step {
      case .activate:
        #expect(calls.all.isEmpty)
        source.activate()
        await calls.wait(count: 1)
      case .cancel: source.cancel()
      case .end:
        child.send(.kill)
        // It is not reaped.
        _ = await waitForEnd(of: child.id, WEXITED | WNOWAIT)
      }
    }
    await calls.wait(count: 2)
    // Others that end later have been told.
    for _ in 0..<5 { _ = try await Async.Child(spawning: Command(path: "/bin/true")).ending }
    #expect(source.isCancelled == steps.contains(.cancel))
    source.cancel()
    #expect(await calls.wait { $0.contains("cancelled") } == told + ["cancelled"])
    #expect(try child.reap() == .signalled(.kill))
  }

  @Test func `what cannot be watched is refused with the reason`() {
    let unknown = "is not available on Linux; ask for exit alone"
    let rows: [(pid_t, ProcessEvents, Int32, String)] = [
      (getpid(), [.exit, .fork, .exec, .signal], ENOTSUP, "fork exec signal \(unknown)"),
      (.max, .exit, ESRCH, "it has ended, or never was; watch a child before it is reaped"),
      (-1, .exit, EINVAL, "pass the number of a process, 1 or more"),
    ]
    for (process, events, code, advice) in rows {
      let error = #expect(throws: SystemError.self) {
        _ = try ProcessSource(identifier: process, eventMask: events)
      }
      let call = code == ENOTSUP ? "watch" : "pidfd_open"
      #expect(
        error == SystemError(call: call, place: "process \(process)", code: code, advice: advice))
    }
  }

  @Test func `a number that is not the parent's is a parent that is gone`() async throws {
    // This process lives and is not its own parent, and nobody has the other number.
    for parent in [getpid(), pid_t.max] {
      for isCancelled in [false, true] {
        let told = Deliveries<Void>()
        let queue = DispatchQueue(label: "parent")
        queue.suspend()
        let watch = try Sourced.ParentWatch(of: parent, queue: queue) { told.append(()) }
        if isCancelled { watch.cancel() }
        queue.resume()
        // It would be told now.
        queue.sync {}
        #expect(watch.isParentGone == !isCancelled)
        #expect(told.all.count == (isCancelled ? 0 : 1))
      }
      try await Async.ParentWatch(parent: parent).wait()
    }
    let task = Task { try await Async.ParentWatch().wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `a child whose parent is killed learns of it, on a queue and in a task`() async {
    await #expect(processExitsWith: .success) { try await loseParent() }
  }
}

/// Waits for the end of a child, or of any, and reaps it unless the options say otherwise.
private func waitForEnd(of child: pid_t?, _ options: Int32) async -> TerminationStatus {
  await blocking {
    var info = siginfo_t()
    let kind = child == nil ? P_ALL : P_PID
    while waitid(kind, id_t(child ?? 0), &info, options) == -1, errno == EINTR {}
    return TerminationStatus(info)
  }
}

/// Begins a shell that begins this process once more, and kills the shell. The second process says when its parent is
/// watched and when it is gone, and ends.
private func loseParent() async throws {
  if let path = getenv("LOSE_PARENT") {
    let pipe = try #require(FileHandle(forWritingAtPath: String(cString: path)))
    let gone = Deliveries<Void>()
    let watch = try Sourced.ParentWatch(queue: DispatchQueue(label: "parent")) { gone.append(()) }
    let task = Task.immediate { try await Async.ParentWatch().wait() }
    try pipe.write(contentsOf: Data("watching\n".utf8))
    await gone.wait(count: 1)
    try await task.value
    try pipe.write(contentsOf: Data((watch.isParentGone ? "gone\n" : "not gone\n").utf8))
    exit(0)
  }
  linux_adopt_orphans()
  let folder = try TemporaryFolder()
  let path = folder.at("pipe")
  try #require(mkfifo(path, 0o600) == 0)
  // As this process was begun, though it has taken its orders out of the environment.
  let variables = try Data(contentsOf: URL(filePath: "/proc/self/environ")).split(separator: 0)
  for variable in variables { putenv(strdup(String(decoding: variable, as: UTF8.self))) }
  setenv("LOSE_PARENT", path, 1)
  let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let script = ["-c", "\"$0\" \"$@\" & wait", program] + CommandLine.arguments.dropFirst()
  let parent = try OwnedChild(spawning: Command(path: "/bin/sh", arguments: script))
  let pipe = try #require(FileHandle(forReadingAtPath: path))
  #expect(try pipe.read(upToCount: 9) == Data("watching\n".utf8))
  parent.send(.kill)
  _ = try parent.reap()
  #expect(try pipe.readToEnd() == Data("gone\n".utf8))
  #expect(await waitForEnd(of: nil, WEXITED) == .exited(0))
}
