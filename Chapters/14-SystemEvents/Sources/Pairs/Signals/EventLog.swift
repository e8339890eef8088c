import Foundation

/// Lines that all threads of a service write.
// Sendable because `lines` is used under the lock only.
final class EventLog: @unchecked Sendable {
  static let shared = EventLog()

  private let lock = NSLock()
  private var lines: [String] = []

  func write(_ line: @autoclosure () -> String) { lock.withLock { lines.append(line()) } }

  var count: Int { lock.withLock { lines.count } }
}
