import Foundation

/// Many readers or one writer, and a waiting writer keeps out the readers that come later. So a reader must not read again
/// inside its reading: a writer may have come in between, and the two would wait for each other.
// Sendable because all numbers are used under the condition's lock only.
final class WriterFirstAccess: @unchecked Sendable {
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
