import struct Foundation.Date

/// The stand-in for Foundation's lock.
open class NSLock: NSLocking, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private let controlled: ControlledLock

  /// A name for people and for reports.
  open var name: String? { didSet { controlled.object.rename(name) } }

  /// - Parameter maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(maker: String = #function) { controlled = ControlledLock("NSLock", madeIn: maker) }

  open func lock() { controlled.lock() }
  open func `try`() -> Bool { controlled.try() }
  open func lock(before limit: Date) -> Bool { controlled.lock(before: limit) }
  open func unlock() { controlled.unlock() }
}

/// The stand-in for Foundation's lock that its holder may take again.
open class NSRecursiveLock: NSLocking, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it, and the depth is its holder's.
  private let controlled: ControlledLock
  private let depth = PerExecution { Depth() }

  private final class Depth {
    var value = 0
  }

  /// A name for people and for reports.
  open var name: String? { didSet { controlled.object.rename(name) } }

  /// - Parameter maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(maker: String = #function) {
    controlled = ControlledLock("NSRecursiveLock", madeIn: maker)
  }

  open func lock() {
    if !controlled.isHeldByCaller { controlled.lock() }
    depth(controlled.object.control).value += 1
  }

  open func `try`() -> Bool {
    guard controlled.isHeldByCaller || controlled.try() else { return false }
    depth(controlled.object.control).value += 1
    return true
  }

  open func lock(before limit: Date) -> Bool {
    guard controlled.isHeldByCaller || controlled.lock(before: limit) else { return false }
    depth(controlled.object.control).value += 1
    return true
  }

  open func unlock() {
    let depth = depth(controlled.object.control)
    if controlled.isHeldByCaller, depth.value > 1 {
      depth.value -= 1
    } else {
      controlled.unlock()
      depth.value = 0
    }
  }
}
