// Looks right: those who wait stand in line, and whoever leaves calls the next. Wrong: who is called has left the line
// before it is in the room. Somebody who comes in between finds neither, and goes in first.

import ControlledDispatch  // its NSCondition is spelled as Foundation's, and the check gives the turns

/// A reading room: readers are in it beside each other, and a cleaner is in it alone.
///
/// Whoever comes later goes in later. Readers between whom no cleaner comes are in it together.
///
/// The check uses `init()`, `enter()`, `leave()`, `beginCleaning()` and `endCleaning()`.
// Sendable because the variables are used under the condition's lock only.
final class ReadingRoom: @unchecked Sendable {
  private final class Waiter {
    let isCleaner: Bool
    var isCalled = false
    init(isCleaner: Bool) { self.isCleaner = isCleaner }
  }
  private let condition = NSCondition()
  private var line: [Waiter] = []
  private var readers = 0
  private var isCleaned = false

  init() {}

  /// Lets a reader in, when it is its turn.
  func enter() {
    condition.withLock {
      if !line.isEmpty || isCleaned { standInLine(isCleaner: false) }
      while isCleaned { condition.wait() }
      readers += 1
    }
  }

  /// Lets a reader out.
  func leave() {
    condition.withLock {
      readers -= 1
      callNext()
    }
  }

  /// Lets a cleaner in, when it is its turn and the room is empty.
  func beginCleaning() {
    condition.withLock {
      if !line.isEmpty || isCleaned || readers > 0 { standInLine(isCleaner: true) }
      while isCleaned || readers > 0 { condition.wait() }
      isCleaned = true
    }
  }

  /// Lets a cleaner out.
  func endCleaning() {
    condition.withLock {
      isCleaned = false
      callNext()
    }
  }

  private func standInLine(isCleaner: Bool) {
    let me = Waiter(isCleaner: isCleaner)
    line.append(me)
    while !me.isCalled { condition.wait() }
  }

  private func callNext() {
    if line.first?.isCleaner == true {
      if readers == 0 { line.removeFirst().isCalled = true }
    } else {
      while let first = line.first, !first.isCleaner { line.removeFirst().isCalled = true }
    }
    condition.broadcast()
  }
}
