import Dispatch
import Foundation
import Workbook

extension Subject {
  static let sharedLog = Subject(
    "shared-log",
    asks: "Two services append a line to one log. What does it have?",
    right: .allowed("both lines"), .forbidden("one line"),
    implementations: [
      .before(
        "flags set anew",
        .surprising("one line", "F_SETFL has taken back O_APPEND, and both write at 0")
      ) { (_: Stage) in
        let log = Log()
        let isOver = DispatchSemaphore(value: 0)
        let writers = ["ab", "cd"].map { line in
          AsPublished.FileWriter(descriptor: log.openToAppend(), data: { Array(line.utf8) }) {
            isOver.signal()
          }
        }
        for _ in writers { isOver.wait() }
        return withExtendedLifetime(writers) { log.end() }
      }
      .code("FileWriterAsPublished.swift", "// It may block").alwaysWrong,
      .before("a flag added") { (_: Stage) in
        let log = Log()
        let isOver = DispatchSemaphore(value: 0)
        let writers = try ["ab", "cd"].map { line in
          try Sourced.FileWriter(
            writing: Array(line.utf8), taking: log.openToAppend(),
            queue: DispatchQueue(label: "log")
          ) { _ in isOver.signal() }
        }
        for _ in writers { isOver.wait() }
        return withExtendedLifetime(writers) { log.end() }
      }
      .code("OwnedDescriptor.swift", "guard fcntl(descriptor, F_SETFL"),
      .after("a connection each") { _ in
        let log = Log()
        let writers = try ["ab", "cd"].map { line in
          let connection = try Async.Connection(taking: log.openToAppend(), for: .writing)
          return Task { try await connection.write(Array(line.utf8)) }
        }
        for writer in writers { try await writer.value }
        return log.end()
      }
      .code("OwnedDescriptor.swift", "guard fcntl(descriptor, F_SETFL"),
    ])
}

/// A file of a process of its own.
private struct Log {
  private let path = "/tmp/log-\(getpid())"

  init() { _ = close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)) }

  func openToAppend() -> Int32 {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    precondition(descriptor != -1)
    return descriptor
  }

  /// Says what it has, and removes it.
  func end() -> String {
    let descriptor = open(path, O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = read(descriptor, &bytes, bytes.count)
    _ = close(descriptor)
    unlink(path)
    return switch count {
    case 2: "one line"
    case 4: "both lines"
    default: "\(count) bytes"
    }
  }
}
