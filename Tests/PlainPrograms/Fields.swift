import Foundation
import Synchronization

/// Two accounts of one customer, whose sum never changes.
public protocol Accounts: AnyObject, Sendable {
  var sum: Int { get }
  func save(_ amount: Int)
}

public final class PlainAccounts: Accounts, @unchecked Sendable {
  private var checking = 100
  private var savings = 0

  public init() {}

  public var sum: Int { checking + savings }

  public func save(_ amount: Int) {
    checking -= amount
    savings += amount
  }
}

/// A lock for each half of what belongs together.
public final class TwiceLockedAccounts: Accounts {
  private let checking = Mutex(100)
  private let savings = Mutex(0)

  public init() {}

  public var sum: Int { checking.withLock { $0 } + savings.withLock { $0 } }

  public func save(_ amount: Int) {
    checking.withLock { $0 -= amount }
    savings.withLock { $0 += amount }
  }

  /// Holds both locks, in one order.
  public func moveUnderBoth() {
    checking.withLock { checking in savings.withLock { savings in swap(&checking, &savings) } }
  }

  /// Holds both locks, in the other order.
  public func moveBackUnderBoth() {
    savings.withLock { savings in checking.withLock { checking in swap(&checking, &savings) } }
  }
}

public final class LockedAccounts: Accounts {
  private struct State {
    var checking = 100
    var savings = 0
  }

  private let state = Mutex(State())

  public init() {}

  public var sum: Int { state.withLock { $0.checking + $0.savings } }

  public func save(_ amount: Int) {
    state.withLock {
      $0.checking -= amount
      $0.savings += amount
    }
  }
}

/// What is to be done, until somebody takes it. Its reads stand right before its writes, and Swift can tell that no use
/// of `marks` is within another.
public final class Marks: @unchecked Sendable {
  private let lock: NSLock?
  private var marks = 0

  public init(isLocked: Bool) { lock = isLocked ? NSLock() : nil }

  public func add(_ more: Int) {
    lock?.lock()
    defer { lock?.unlock() }
    marks |= more
  }

  public func take() -> Int {
    lock?.lock()
    defer { lock?.unlock() }
    defer { marks = 0 }
    return marks
  }
}

/// A result, and a flag that says whether it is there.
public final class PlainResult: @unchecked Sendable {
  private var value = 0
  private var isReady = false

  public init() {}

  public func publish(_ value: Int) {
    self.value = value
    isReady = true
  }

  public var current: Int? { isReady ? value : nil }
}

public final class AtomicResult: @unchecked Sendable {
  private var value = 0
  private let isReady = Atomic(false)

  public init() {}

  public func publish(_ value: Int) {
    self.value = value
    isReady.store(true, ordering: .releasing)
  }

  public var current: Int? { isReady.load(ordering: .acquiring) ? value : nil }
}

/// The same with an ordering that orders nothing.
public final class RelaxedResult: @unchecked Sendable {
  private var value = 0
  private let isReady = Atomic(false)

  public init() {}

  public func publish(_ value: Int) {
    self.value = value
    isReady.store(true, ordering: .relaxed)
  }

  public var current: Int? { isReady.load(ordering: .relaxed) ? value : nil }
}
