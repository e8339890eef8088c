import Foundation
import Synchronization
import Workbook

extension Demo {
  static let supervise = Demo(
    "supervise",
    asks:
      "A service is killed, reloaded by SIGHUP and ended by SIGTERM. What does its supervisor do?",
    sides: [
      .hazard(
        .before, "sources on one queue", .supervise("source", bySources), .allowed(whole),
        .forbidden("2 children, ended as told, none left")
      )
      .code("SupervisorSource.swift", "case .spawn(let place, let command)"),
      .hazard(
        .after, "one task", .supervise("task", byTask), .allowed(whole),
        .forbidden("2 children, ended as told, none left")
      )
      .code("SupervisorAsync.swift", "for await event in events"),
    ])
}

private let whole = "3 children, ended as told, none left"

private typealias Ended = @Sendable ((any Error)?) -> Void

private func bySources(_ supervision: Supervision, _ ended: @escaping Ended) throws {
  _ = try Sourced.Supervisor(
    supervision, grace: .seconds(5), report: { _ in }, whenEnded: ended)
}

private func byTask(_ supervision: Supervision, _ ended: @escaping Ended) {
  let supervisor = Async.Supervisor(
    supervision: supervision, grace: .seconds(5), report: { _ in })
  Task {
    do {
      try await supervisor.run()
      ended(nil)
    } catch { ended(error) }
  }
}

extension Hazard {
  /// A life with a supervisor, in a process of its own, because signals are for a whole process.
  fileprivate static func supervise(
    _ name: String, _ begin: @escaping @Sendable (Supervision, @escaping Ended) throws -> Void
  ) -> Hazard {
    Hazard("system-events/supervise-\(name)") { transcript in
      do { return try life(transcript, begin) } catch { return "\(error)" }
    }
  }
}

private func life(
  _ transcript: Transcript, _ begin: (Supervision, @escaping Ended) throws -> Void
) throws -> String {
  let births = try Births()
  defer { births.remove() }
  let isOver = DispatchSemaphore(value: 0)
  let failure = Mutex<(any Error)?>(nil)
  let supervision = Supervision(of: [births.service], restarts: 1, within: .seconds(60))
  try begin(supervision) { error in
    failure.withLock { $0 = error }
    isOver.signal()
  }
  let first = births.next()
  transcript.say("a service runs; it is killed")
  kill(first, SIGKILL)
  let second = births.next()
  transcript.say("another one runs; SIGHUP")
  kill(getpid(), SIGHUP)
  let third = births.next()
  transcript.say("a third one runs; SIGTERM")
  kill(getpid(), SIGTERM)
  isOver.wait()
  let end = failure.withLock { $0 }.map { "\($0)" } ?? "ended as told"
  var info = siginfo_t()
  let isAnyLeft = waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0
  return
    "\(Set([first, second, third]).count) children, \(end), \(isAnyLeft ? "some" : "none") left"
}

/// A named pipe, to which each child writes its number as it begins.
private final class Births {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let path: String
  private let file: UnsafeMutablePointer<FILE>

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "births").path
    // For reading and writing, so that it has no end.
    guard mkfifo(path, 0o600) == 0, let file = fopen(path, "r+") else {
      throw CocoaError(.fileWriteUnknown)
    }
    self.file = file
  }

  /// Says its number, and works until it is told to end.
  var service: Command {
    Command(path: "/bin/sh", arguments: ["-c", "echo $$ > $0; exec sleep 1000", path])
  }

  /// Waits for the next child's number.
  func next() -> pid_t {
    var line = [CChar](repeating: 0, count: 32)
    fgets(&line, Int32(line.count), file)
    return pid_t(atoi(line))
  }

  func remove() {
    fclose(file)
    try? FileManager.default.removeItem(at: folder)
  }
}
