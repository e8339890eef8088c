import ControlledDispatch  // its NSCondition is spelled as Foundation's, and the check gives the turns

/// A reading room: readers are in it beside each other, and a cleaner is in it alone.
///
/// Whoever comes later goes in later. Readers between whom no cleaner comes are in it together.
///
/// The check uses `init()`, `enter()`, `leave()`, `beginCleaning()` and `endCleaning()`.
// Sendable because the variables are used under the condition's lock only.
final class ReadingRoom: @unchecked Sendable {
  // region state
  private let condition = NSCondition()
  /// The number that the next one gets who comes, and the number of the one whose turn it is.
  private var next = 0
  private var turn = 0
  private var readers = 0
  private var isCleaned = false
  // endregion

  init() {}

  // region enter
  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      let number = next
      next += 1
      while number != turn || isCleaned { condition.wait() }
      readers += 1
      turn += 1
      condition.broadcast()
    }
  }
  // endregion

  // region leave
  /// Lets a reader out.
  func leave() {
    condition.withLock {
      readers -= 1
      if readers == 0 { condition.broadcast() }
    }
  }
  // endregion

  // region beginCleaning
  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      let number = next
      next += 1
      while number != turn || isCleaned || readers > 0 { condition.wait() }
      isCleaned = true
      turn += 1
    }
  }
  // endregion

  // region endCleaning
  /// Lets a cleaner out.
  func endCleaning() {
    condition.withLock {
      isCleaned = false
      condition.broadcast()
    }
  }
  // endregion
}
