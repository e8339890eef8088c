#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `number` is used on the main queue only.
public final class BadgeSyncToMain: @unchecked Sendable {
  private var number = 0

  public init() {}

  /// Adds to the number and returns it; from any queue, so it says.
  public func add(_ count: Int) -> Int {
    DispatchQueue.main.sync {
      number += count
      return number
    }
  }
}
