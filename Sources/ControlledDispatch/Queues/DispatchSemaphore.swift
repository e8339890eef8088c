import Interleaving

/// The stand-in for Dispatch's semaphore. Any of those who wait may be the one whom a signal lets go on.
public final class DispatchSemaphore: Sendable {
  private let object: ControlledObject
  private let value: Int

  /// - Parameters:
  ///   - value: How many may pass before one must wait, 0 or more.
  ///   - maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(value: Int, maker: String = #function) {
    self.value = value
    object = ControlledObject("DispatchSemaphore", madeIn: maker, .count(value))
    guard value < 0 else { return }
    object.control.trap("makes \(object.name) with \(value) left, which Dispatch refuses")
  }

  deinit {
    guard let control = Control.current, control.strand != .outside,
      case .count(let count)? = control.state(of: object.id), count < value
    else { return }
    control.trap(
      "frees \(object.name) with \(count) left of \(value): Dispatch takes it to be in use")
  }

  /// Waits until it can take one.
  public func wait() { object.perform(.take, "takes one of") }

  /// Waits until it can take one, or until a moment of virtual time.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    object.control.perform([object.use(.take)], before: timeout, "takes one of \(object.name)")
  }

  /// Lets one more pass.
  ///
  /// - Returns: 0; real Dispatch says whether it woke a thread.
  @discardableResult
  public func signal() -> Int {
    object.perform(.put, "signals")
    return 0
  }
}
