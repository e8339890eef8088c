import ChapterTesting
import Foundation
import Testing

@testable import SystemEvents

/// A named pipe in a folder of its own. Children write lines to it, which tests wait for.
final class NamedPipe: Sendable {
  let path: String
  let lines = Deliveries<String>()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    path = folder.at("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    // With a writer of its own it has no end.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    try #require(descriptor != -1)
    let lines = lines
    Thread {
      var rest: [UInt8] = []
      var isOpen = true
      while isOpen {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(descriptor, &bytes, bytes.count)
        if count == -1, errno == EINTR { continue }
        guard count > 0 else { break }
        rest += bytes.prefix(count)
        while let end = rest.firstIndex(of: 10) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest.removeSubrange(...end)
          if line == Self.last { isOpen = false } else { lines.append(line) }
        }
      }
      close(descriptor)
    }.start()
  }

  deinit { say(Self.last) }

  private static let last = "nothing more"

  /// Writes a line as a child does.
  func say(_ line: String) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    _ = write(descriptor, line + "\n", line.utf8.count + 1)
    close(descriptor)
  }

  /// A shell that runs a script, in which `$0` is the pipe.
  func shell(_ script: String, _ arguments: String...) -> Command {
    Command(path: "/bin/sh", arguments: ["-c", script, path] + arguments)
  }
}

/// A shell that runs a script.
func shell(_ script: String, _ arguments: String...) -> Command {
  Command(path: "/bin/sh", arguments: ["-c", script, "sh"] + arguments)
}

/// Whether this process has a child, running or not yet reaped.
var hasChildren: Bool {
  var info = siginfo_t()
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0
}
