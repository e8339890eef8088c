/// The stand-in for Synchronization's mutex.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private final class Box {
    var value: Value

    init(_ value: consuming sending Value) { self.value = value }
  }

  private let box: Box
  private let controlled: ControlledLock

  /// Makes a mutex that guards a value.
  ///
  /// - Parameters:
  ///   - initialValue: The value.
  ///   - maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(_ initialValue: consuming sending Value, maker: String = #function) {
    box = Box(initialValue)
    controlled = ControlledLock("Mutex", madeIn: maker)
  }

  /// Waits for the mutex and holds it for the time of the body.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    if controlled.isHeldByCaller {
      controlled.object.control.trap(
        "locks \(controlled.object.name), which it holds: Mutex refuses a recursive call")
    }
    controlled.lock()
    defer { controlled.unlock() }
    return try body(&box.value)
  }

  /// Holds the mutex for the time of the body, if nobody else does.
  ///
  /// - Returns: What the body returns; nil if the mutex was held.
  /// - Throws: What the body throws.
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard controlled.try() else { return nil }
    defer { controlled.unlock() }
    return try body(&box.value)
  }
}
