import Interleaving

import struct Foundation.Date

/// The stand-in for Foundation's lock that may wait for a number, its condition, to have a value.
///
/// It does what is documented. On Linux, the real one ends the process where `lock()` or
/// `lock(whenCondition:)` has to wait; with a time limit it waits as it should.
open class NSConditionLock: NSLocking, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private let changes: NSCondition
  private let record: PerExecution<Record>

  /// Guarded by `changes`.
  private final class Record {
    var condition: Int
    var holder: StrandID?

    init(_ condition: Int) { self.condition = condition }
  }

  /// A name for people and for reports.
  open var name: String? { didSet { changes.controlled.object.rename(name) } }

  /// Makes a lock whose condition is 0.
  public convenience init() { self.init(condition: 0) }

  /// - Parameters:
  ///   - condition: The number at first.
  ///   - maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(condition: Int, maker: String = #function) {
    changes = NSCondition("NSConditionLock", madeIn: maker)
    record = PerExecution { Record(condition) }
  }

  /// The number; unless the caller holds the lock, it may be another as soon as it is known.
  open var condition: Int { changes.withLock { state.condition } }

  open func lock() { _ = take(nil, before: .distantFuture) }

  /// Waits until nobody holds the lock and the condition has a value, and takes it.
  open func lock(whenCondition condition: Int) { _ = take(condition, before: .distantFuture) }

  open func `try`() -> Bool { take(nil, before: nil) }

  /// Takes the lock if nobody holds it and the condition has a value.
  ///
  /// - Returns: Whether it was taken.
  open func tryLock(whenCondition condition: Int) -> Bool { take(condition, before: nil) }

  /// Waits until nobody holds the lock, or until a moment of virtual time.
  ///
  /// - Returns: Whether it was taken.
  open func lock(before limit: Date) -> Bool { take(nil, before: limit) }

  /// Waits until nobody holds the lock and the condition has a value, or until a moment of virtual time.
  ///
  /// - Returns: Whether it was taken.
  open func lock(whenCondition condition: Int, before limit: Date) -> Bool {
    take(condition, before: limit)
  }

  open func unlock() { release(nil) }

  /// Gives the condition a value, and the lock back.
  open func unlock(withCondition condition: Int) { release(condition) }

  // MARK: Taking and releasing

  private var control: Control { changes.controlled.object.control }
  private var state: Record { record(control) }

  /// - Parameter limit: Until when to wait; nil for not at all.
  private func take(_ condition: Int?, before limit: Date?) -> Bool {
    changes.withLock {
      let state = state
      while state.holder != nil || condition.map({ $0 != state.condition }) ?? false {
        guard let limit, changes.wait(until: limit) else { return false }
      }
      state.holder = control.strand
      return true
    }
  }

  private func release(_ condition: Int?) {
    changes.withLock {
      let state = state
      guard state.holder == control.strand else {
        control.trap("unlocks \(changes.controlled.object.name), which it does not hold")
      }
      state.holder = nil
      state.condition = condition ?? state.condition
      changes.broadcast()
    }
  }
}
