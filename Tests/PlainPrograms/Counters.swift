import Foundation
import Synchronization

/// A counter as it is first written.
public final class PlainCounter: @unchecked Sendable {
  public private(set) var value = 0
  public init() {}
  public func increment() { value += 1 }
}

public final class LockedCounter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0
  public init() {}
  public var value: Int { lock.withLock { count } }
  public func increment() {
    lock.lock()
    count += 1
    lock.unlock()
  }
}

public final class MutexCounter: Sendable {
  private let count = Mutex(0)
  public init() {}
  public var value: Int {
    get { count.withLock { $0 } }
    set { count.withLock { $0 = newValue } }
  }
  public func increment() { count.withLock { $0 += 1 } }
}

public final class AtomicCounter: Sendable {
  private let count = Atomic(0)
  public init() {}
  public var value: Int { count.load(ordering: .acquiring) }
  public func increment() { count.wrappingAdd(1, ordering: .relaxed) }
  public func incrementInTwoSteps() {
    count.store(count.load(ordering: .acquiring) + 1, ordering: .releasing)
  }
}

public final class Names: @unchecked Sendable {
  public private(set) var names: [String] = []
  public init() {}
  public func add(_ name: String) { names.append(name) }
}
