import Foundation

/// A value behind a lock.
///
/// NSLock, since ThreadSanitizer knows its mutex; of Synchronization's it misses the contended path (6.3.1).
final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is used under the lock alone.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func callAsFunction<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
