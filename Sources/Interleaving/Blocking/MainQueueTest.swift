import Synchronization

/// Tells whether the calling strand runs on the stand-in for the main queue, which is not this library's.
package final class MainQueueTest: Sendable {
  package static let shared = MainQueueTest()

  private let known = Mutex<@Sendable () -> Bool>({ false })

  /// Takes over how that is told.
  package func set(_ test: @escaping @Sendable () -> Bool) { known.withLock { $0 = test } }

  func callAsFunction() -> Bool { known.withLock(\.self)() }
}
