import Foundation

extension FlaggedFirst {
  // Sendable because `isBegun` is used under `lock` only.
  final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var isBegun = false

    /// Leaves the lock for the work; callers that come in the meantime go on as if it were done.
    func run(_ body: () -> Void) {
      let isFirst = lock.withLock {
        defer { isBegun = true }
        return !isBegun
      }
      if isFirst { body() }
    }
  }
}
