// Untested: there is no such system to test it on.
#if canImport(Darwin)
  /// The stand-in for the system's unfair lock, whose holder alone may unlock it.
  public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    // Sendable: only the strand that has the turn uses it.
    private final class Box {
      var state: State

      init(_ state: State) { self.state = state }
    }

    private let box: Box
    private let controlled: ControlledLock

    /// Makes a lock that guards a state.
    ///
    /// - Parameters:
    ///   - uncheckedState: The state.
    ///   - maker: What a report calls it after: the type whose property it is, or the function that makes it.
    public init(uncheckedState: State, maker: String = #function) {
      box = Box(uncheckedState)
      controlled = ControlledLock("OSAllocatedUnfairLock", madeIn: maker)
    }

    /// Waits for the lock and holds it for the time of the body.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
      refuseSecondLock()
      controlled.lock()
      defer { controlled.unlock() }
      return try body(&box.state)
    }

    /// Waits for the lock and holds it for the time of the body.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withLock<R: Sendable>(
      _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R { try withLockUnchecked(body) }

    /// Holds the lock for the time of the body, if nobody else does.
    ///
    /// - Returns: What the body returns; nil if the lock was held.
    /// - Throws: What the body throws.
    public func withLockIfAvailable<R: Sendable>(
      _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R? {
      guard controlled.try() else { return nil }
      defer { controlled.unlock() }
      return try body(&box.state)
    }

    private func refuseSecondLock() {
      guard controlled.isHeldByCaller else { return }
      controlled.object.control.trap(
        "locks \(controlled.object.name), which it holds: it refuses a recursive call")
    }
  }

  extension OSAllocatedUnfairLock where State: Sendable {
    /// Makes a lock that guards a state.
    public init(initialState: State, maker: String = #function) {
      self.init(uncheckedState: initialState, maker: maker)
    }
  }

  extension OSAllocatedUnfairLock where State == Void {
    /// Makes a lock that guards what its users say.
    public init(maker: String = #function) { self.init(uncheckedState: (), maker: maker) }

    public func lock() {
      refuseSecondLock()
      controlled.lock()
    }

    public func unlock() { controlled.unlock() }

    /// - Returns: Whether it was taken.
    public func lockIfAvailable() -> Bool { controlled.try() }
  }
#endif
