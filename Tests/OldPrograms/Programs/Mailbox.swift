import Foundation

/// Hands one letter after the other from one thread to another; the condition says whether one lies there.
///
/// Its known bug: what takes the letter gives the lock back without another condition, as if the letter still lay there.
extension Wrong {
  final class Mailbox: @unchecked Sendable {
    // Sendable: `letter` is used under `lock` only.
    private enum Condition {
      static let empty = 0
      static let full = 1
    }

    private let lock = NSConditionLock(condition: Condition.empty)
    private var letter: Int?

    func put(_ letter: Int, before limit: Date) -> Bool {
      guard lock.lock(whenCondition: Condition.empty, before: limit) else { return false }
      self.letter = letter
      lock.unlock(withCondition: Condition.full)
      return true
    }

    func take(before limit: Date) -> Int? {
      guard lock.lock(whenCondition: Condition.full, before: limit) else { return nil }
      defer { lock.unlock() }
      return letter.take()
    }
  }
}

extension Right {
  final class Mailbox: @unchecked Sendable {
    // Sendable: `letter` is used under `lock` only.
    private enum Condition {
      static let empty = 0
      static let full = 1
    }

    private let lock = NSConditionLock(condition: Condition.empty)
    private var letter: Int?

    func put(_ letter: Int, before limit: Date) -> Bool {
      guard lock.lock(whenCondition: Condition.empty, before: limit) else { return false }
      self.letter = letter
      lock.unlock(withCondition: Condition.full)
      return true
    }

    func take(before limit: Date) -> Int? {
      guard lock.lock(whenCondition: Condition.full, before: limit) else { return nil }
      defer { lock.unlock(withCondition: Condition.empty) }
      return letter.take()
    }
  }
}
