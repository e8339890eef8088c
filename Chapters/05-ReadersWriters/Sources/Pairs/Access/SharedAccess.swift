import Foundation

/// Readers beside each other, or one writer: a readers–writers lock as it is often written. As long as readers come before
/// the last one has left, a writer waits.
// Sendable because both numbers are used under the condition's lock only.
final class SharedAccess: @unchecked Sendable {
  private let condition = NSCondition()
  private var readers = 0
  private var isWriting = false

  func read(_ body: () -> Void) {
    condition.lock()
    while isWriting { condition.wait() }
    readers += 1
    condition.unlock()
    body()
    leaveReading()
  }

  /// Reads if that takes no waiting, and says whether it did.
  func readIfAvailable(_ body: () -> Void) -> Bool {
    let isLetIn = condition.withLock {
      if isWriting { return false }
      readers += 1
      return true
    }
    if isLetIn {
      body()
      leaveReading()
    }
    return isLetIn
  }

  func write(_ body: () -> Void) {
    condition.lock()
    while isWriting || readers > 0 { condition.wait() }
    isWriting = true
    condition.unlock()
    body()
    condition.lock()
    isWriting = false
    condition.broadcast()
    condition.unlock()
  }

  private func leaveReading() {
    condition.lock()
    readers -= 1
    if readers == 0 { condition.broadcast() }
    condition.unlock()
  }
}
