import Foundation

extension Locked {
  // Sendable because `count` is read and written under `lock` only.
  final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func increment() { lock.withLock { count += 1 } }

    var value: Int { lock.withLock { count } }
  }
}
