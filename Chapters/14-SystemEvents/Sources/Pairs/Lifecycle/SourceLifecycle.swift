/// The life of a source: when its handlers are called, and which calls are mistakes.
///
/// A source begins inactive. Dispatch keeps the same account, and traps at a resume too many; to suspend what is
/// cancelled, it takes without a word.
struct SourceLifecycle {
  enum Effect: Equatable {
    case callHandler
    /// The last call of all; here descriptors are closed.
    case callCancelHandler
  }

  enum Misuse: Error, Equatable, CustomStringConvertible {
    case resumedWithoutSuspension
    case suspendedAfterCancellation

    var description: String {
      switch self {
      case .resumedWithoutSuspension:
        "resume of a source that is not suspended; call it once for each call of suspend"
      case .suspendedAfterCancellation:
        "suspend of a cancelled source; nothing is left to hold back but its cancel handler"
      }
    }
  }

  private(set) var isActive = false
  private(set) var suspensions = 0
  private(set) var isCancelled = false
  private var isOver = false
  private var isHandling = false
  private var hasEvent = false

  /// Lets the source begin; a second call does nothing.
  @discardableResult mutating func activate() -> Effect? {
    isActive = true
    return proceed()
  }

  @discardableResult mutating func suspend() throws(Misuse) -> Effect? {
    guard !isCancelled else { throw .suspendedAfterCancellation }
    suspensions += 1
    return nil
  }

  /// Takes back one suspension. A source that was never activated nor suspended begins, as it always has.
  @discardableResult mutating func resume() throws(Misuse) -> Effect? {
    if suspensions > 0 {
      suspensions -= 1
    } else if !isActive {
      isActive = true
    } else {
      throw .resumedWithoutSuspension
    }
    return proceed()
  }

  /// Ends the source: an event that waits is dropped, the handler in flight returns before the cancel handler.
  @discardableResult mutating func cancel() -> Effect? {
    isCancelled = true
    hasEvent = false
    return proceed()
  }

  /// Something happened. Events that wait are merged into one.
  @discardableResult mutating func event() -> Effect? {
    if !isCancelled { hasEvent = true }
    return proceed()
  }

  /// The handler has returned.
  @discardableResult mutating func handled() -> Effect? {
    isHandling = false
    return proceed()
  }

  private mutating func proceed() -> Effect? {
    guard isActive, suspensions == 0, !isHandling, !isOver else { return nil }
    if isCancelled {
      isOver = true
      return .callCancelHandler
    }
    guard hasEvent else { return nil }
    hasEvent = false
    isHandling = true
    return .callHandler
  }
}
