import Foundation

extension Conditioned {
  /// Hands elements from threads to threads. A thread that sends waits while there is no room.
  // Sendable because all that changes is used under `condition` only.
  final class Channel<Element: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var buffer: [Element] = []
    private var isFinished = false

    /// - Parameter capacity: How many elements are kept that nobody has taken, 1 or more.
    init(capacity: Int) {
      precondition(capacity >= 1, "threads need a place to leave an element at")
      self.capacity = capacity
    }

    /// - Returns: Whether it was sent; false if the channel is finished.
    func send(_ element: Element) -> Bool {
      condition.lock()
      defer { condition.unlock() }
      while buffer.count == capacity, !isFinished { condition.wait() }
      if isFinished { return false }
      buffer.append(element)
      // All, because senders and receivers wait for one condition.
      condition.broadcast()
      return true
    }

    /// The next element; nil when the channel is finished and empty.
    func next() -> Element? {
      condition.lock()
      defer { condition.unlock() }
      while buffer.isEmpty, !isFinished { condition.wait() }
      guard !buffer.isEmpty else { return nil }
      condition.broadcast()
      return buffer.removeFirst()
    }

    func finish() {
      condition.lock()
      isFinished = true
      condition.broadcast()
      condition.unlock()
    }
  }
}
