import Foundation

/// A fork between two seats, for one philosopher at a time.
///
/// Sendable because `uses` is changed under `lock` only.
final class Fork: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var uses = 0

  func use(_ eat: () -> Void) {
    lock.withLock {
      uses += 1
      eat()
    }
  }
}
