import Foundation

/// Many readers or one writer: a readers–writers lock as it is often written. A writer waits as long as each reader comes
/// before the one before it has left.
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
