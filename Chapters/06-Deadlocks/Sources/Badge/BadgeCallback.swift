#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `number` is used on the main queue only.
public final class BadgeCallback: @unchecked Sendable {
  private var number = 0

  public init() {}

  /// Adds to the number and hands it over, on the main queue, later.
  public func add(_ count: Int, then completion: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.main.async {
      self.number += count
      completion(self.number)
    }
  }
}
