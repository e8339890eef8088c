import Foundation
import Synchronization

public protocol Counter: AnyObject, Sendable {
  var value: Int { get }
  func increment()
}

public final class PlainCounter: Counter, @unchecked Sendable {
  public private(set) var value = 0

  public init() {}

  public func increment() { value += 1 }
}

public final class LockedCounter: Counter, @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  public init() {}

  public var value: Int { lock.withLock { count } }

  public func increment() {
    lock.lock()
    defer { lock.unlock() }
    count += 1
  }
}

/// Reads under the lock; one of its writes forgets it.
public final class ResettableCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 5
  private let locksToReset: Bool

  public init(locksToReset: Bool) { self.locksToReset = locksToReset }

  public var value: Int { lock.withLock { count } }

  public func reset() {
    if locksToReset { lock.lock() }
    count = 0
    if locksToReset { lock.unlock() }
  }
}

/// A way out of `withdraw` on which the lock was forgotten: it pays a fee without it.
public final class Purse: @unchecked Sendable {
  private let lock = NSLock()
  private var money: Int
  private let locksForFee: Bool

  public init(_ money: Int, locksForFee: Bool) {
    self.money = money
    self.locksForFee = locksForFee
  }

  public var balance: Int { lock.withLock { money } }

  public func withdraw(_ amount: Int) {
    lock.lock()
    guard money >= amount else {
      if !locksForFee { lock.unlock() }
      money -= 1
      if locksForFee { lock.unlock() }
      return
    }
    money -= amount
    lock.unlock()
  }
}

public final class AtomicCounter: Counter {
  private let count = Atomic(0)

  public init() {}

  public var value: Int { count.load(ordering: .acquiring) }

  public func increment() {
    let read = count.load(ordering: .acquiring)
    count.store(read + 1, ordering: .releasing)
  }
}

public final class AddingCounter: Counter {
  private let count = Atomic(0)

  public init() {}

  public var value: Int { count.load(ordering: .acquiring) }

  public func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// A `Mutex` behind `get` and `set`.
public final class PropertyCounter: Counter {
  private let count = Mutex(0)

  public init() {}

  public private(set) var value: Int {
    get { count.withLock { $0 } }
    set { count.withLock { $0 = newValue } }
  }

  public func increment() { value += 1 }
}

public final class MutexCounter: Counter {
  private let count = Mutex(0)

  public init() {}

  public var value: Int { count.withLock { $0 } }

  public func increment() { count.withLock { $0 += 1 } }
}

/// What an actor's users reach without it.
public actor Hits {
  public nonisolated(unsafe) static var all = 0
  public nonisolated(unsafe) var unsafeCount = 0
  public var count = 0

  public init() {}

  public nonisolated func addUnsafely() { unsafeCount += 1 }
  public func add() { count += 1 }
  public func addFromWithin() { unsafeCount += 1 }
}
