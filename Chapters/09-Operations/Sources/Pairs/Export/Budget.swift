import Synchronization

/// How much memory exports hold at the moment.
final class Budget: Sendable {
  private let reserved = Mutex(0)

  /// In bytes.
  var total: Int { reserved.withLock(\.self) }

  func reserve(_ count: Int) { reserved.withLock { $0 += count } }
  func giveBack(_ count: Int) { reserved.withLock { $0 -= count } }
}
