import Foundation

/// Readers beside each other, or one writer; whoever wants to write keeps out the readers that come later. So a reader must
/// not read again inside of its reading: a writer may have come in between, and the two would wait for each other.
// Sendable because all numbers are used under the condition's lock only.
final class FairAccess: @unchecked Sendable {
  private let condition = NSCondition()
  private var readers = 0
  private var waitingWriters = 0
  private var isWriting = false

  func read(_ body: () -> Void) {
    condition.lock()
    while isWriting || waitingWriters > 0 { condition.wait() }
    readers += 1
    condition.unlock()
    body()
    leaveReading()
  }

  /// Reads if that takes no waiting, and says whether it did.
  func readIfAvailable(_ body: () -> Void) -> Bool {
    let isLetIn = condition.withLock {
      if isWriting || waitingWriters > 0 { return false }
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
    waitingWriters += 1
    while isWriting || readers > 0 { condition.wait() }
    waitingWriters -= 1
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
