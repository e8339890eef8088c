import Foundation

/// A value that is used under a lock.
///
/// An exploration sees this lock, though this module is not compiled for it: `NSLock` goes through libc, which a
/// `Mutex` does not.
final class Locked<Value>: @unchecked Sendable {
  // Sendable: the value is used under the lock only.
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Runs code that may use the value, with nobody else using it meanwhile.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
