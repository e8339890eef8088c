import Foundation

/// A lock for one writer at a time, and wrong: one that is woken goes on without looking again.
// Sendable because `isWriting` is used under the condition's lock only.
final class WokenOnceAccess: @unchecked Sendable {
  private let condition = NSCondition()
  private var isWriting = false

  func write(_ body: () -> Void) {
    condition.lock()
    if isWriting { condition.wait() }
    isWriting = true
    condition.unlock()
    body()
    condition.lock()
    isWriting = false
    condition.broadcast()
    condition.unlock()
  }
}
