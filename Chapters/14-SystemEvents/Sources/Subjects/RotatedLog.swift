import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let logRotation = Subject(
    "log-rotation",
    asks: "A log is renamed, and a new one is moved to its place. Is the follower told all lines?",
    right: .allowed("all"), .forbidden("not the last"),
    implementations: [
      .before(
        "read first, and then watched",
        .surprising("not the last", "it came after the reading, and before the watch").onlyExplored
      ) { (stage: Stage) in
        let (log, reader) = (Log("read-first", stage), Reader())
        let follower = try ReadFirst.LogFollower(
          path: log.path, queue: DispatchQueue(label: "log"), whenEvent: { reader.read($0, log) },
          whenOver: { reader.isOver.signal() })
        reader.isRenamed.wait()
        log.moveIn()
        _ = reader.isTold.wait(timeout: .now() + 1)
        return reader.end(log, stop: follower.stop)
      }
      .code("LogFollowerReadFirst.swift", "while case let events")
      .whereWorkTakesNoTime.notPlayed("which of them is faster is up to the scheduler"),
      .before("file sources") { (stage: Stage) in
        let (log, reader) = (Log("sources", stage), Reader())
        let follower = try Sourced.LogFollower(
          path: log.path, queue: DispatchQueue(label: "log"), whenEvent: { reader.read($0, log) },
          whenOver: { _ in reader.isOver.signal() })
        reader.isRenamed.wait()
        log.moveIn()
        reader.isTold.wait()
        return reader.end(log, stop: follower.stop)
      }
      .code("LogFollowerSource.swift", "guard try watches?.watch(files)"),
      .after("async sequence") { stage in
        let log = Log("sequence", stage)
        let (isRenamed, isOver) = (Gate(), Gate())
        let events = try Async.FollowedLog(path: log.path) { isOver.open() }
        let reader = Task {
          var lines: [String] = []
          for try await case .line(let line) in events {
            lines.append(line)
            guard lines.count == 1 else {
              withUnsafeCurrentTask { $0?.cancel() }
              continue
            }
            log.moveOut()
            isRenamed.open()
          }
          return lines
        }
        await isRenamed.wait()
        log.moveIn()
        let lines = try await reader.value
        await isOver.wait()
        return log.end(lines)
      }
      .code("LogFollowerAsync.swift", "guard try state.watches?.watch(files)"),
    ])
}

/// A log with one line, and a new one that is ready.
private struct Log: Sendable {
  let path: String

  init(_ name: String, _ stage: Stage) {
    path = "/tmp/\(name)" + (stage.isExplored ? "" : "-\(getpid())")
    for (path, line) in [(path, "a\n"), (path + ".new", "b\n")] {
      let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
      precondition(write(file, line, line.utf8.count) == line.utf8.count)
      _ = close(file)
    }
  }

  func moveOut() { precondition(rename(path, path + ".old") == 0) }
  func moveIn() { precondition(rename(path + ".new", path) == 0) }

  /// Removes both, and says which lines were told.
  func end(_ lines: [String]) -> String {
    for path in [path, path + ".old"] { unlink(path) }
    return switch lines {
    case ["a", "b"]: "all"
    case ["a"]: "not the last"
    default: "\(lines)"
    }
  }
}

/// A handler that renames the log when it is told the first line. At the last it waits until the follower is stopped.
private final class Reader: Sendable {
  private let lines = Mutex<[String]>([])
  let (isRenamed, isTold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let isStopped = DispatchSemaphore(value: 0)
  let isOver = DispatchSemaphore(value: 0)

  func read(_ event: LogEvent, _ log: Log) {
    guard case .line(let line) = event else { return }
    let count = lines.withLock { lines in
      lines.append(line)
      return lines.count
    }
    guard count > 1 else {
      log.moveOut()
      isRenamed.signal()
      return
    }
    isTold.signal()
    isStopped.wait()
  }

  func end(_ log: Log, stop: () -> Void) -> String {
    stop()
    isStopped.signal()
    isOver.wait()
    return log.end(lines.withLock { $0 })
  }
}
