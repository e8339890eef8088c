import Foundation

/// Programs that are compiled twice: here, and in `TwinPrograms` against the stand-ins, which must do the same.
enum Programs {
  /// What has happened, in order.
  final class Log: @unchecked Sendable {
    // Sendable: only used while `lock` is locked.
    private let lock = NSLock()
    private var lines: [String] = []

    func callAsFunction(_ line: String) { lock.withLock { lines.append(line) } }
    var entries: [String] { lock.withLock { lines } }
  }
}
