import Dispatch
import Foundation
import Workbook

extension Subject {
  static let sharedLog = Subject(
    "shared-log",
    asks: "Two services append a line each to one log. What does it have?",
    right: .allowed("both lines"), .forbidden("one line"),
    implementations: [
      .before(
        "flags set anew",
        .surprising("one line", "F_SETFL has taken back O_APPEND, and both write at 0")
      ) { (stage: Stage) in
        let log = Log(stage)
        for line in ["ab", "cd"] {
          let isOver = DispatchSemaphore(value: 0)
          let writer = AsPublished.FileWriter(
            descriptor: log.openToAppend(), data: { Array(line.utf8) }
          ) { isOver.signal() }
          isOver.wait()
          withExtendedLifetime(writer) {}
        }
        return log.end()
      }
      .code("FileWriterAsPublished.swift", "// It may block").alwaysWrong,
      .before("a flag added") { (stage: Stage) in
        let log = Log(stage)
        for line in ["ab", "cd"] {
          let isOver = DispatchSemaphore(value: 0)
          let writer = try Sourced.FileWriter(
            writing: Array(line.utf8), taking: log.openToAppend(),
            queue: DispatchQueue(label: "log")
          ) { _ in isOver.signal() }
          isOver.wait()
          withExtendedLifetime(writer) {}
        }
        return log.end()
      }
      .code("OwnedDescriptor.swift", "guard fcntl(descriptor, F_SETFL"),
      .after("a connection each") { stage in
        let log = Log(stage)
        for line in ["ab", "cd"] {
          let isOver = Gate()
          let connection = try Async.Connection(taking: log.openToAppend(), for: .writing) {
            isOver.open()
          }
          try await connection.write(Array(line.utf8))
          connection.close()
          await isOver.wait()
        }
        return log.end()
      }
      .code("OwnedDescriptor.swift", "guard fcntl(descriptor, F_SETFL"),
    ])
}

/// A file of a process of its own.
private struct Log {
  private let path: String

  init(_ stage: Stage) {
    path = ownPath("log", stage)
    _ = close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600))
  }

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
