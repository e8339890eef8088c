#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because `count` is read and written on `queue` only.
public final class CounterSerialQueue: Counter, @unchecked Sendable {
  private let queue = DispatchQueue(label: "counter")
  private var count = 0

  public init() {}

  public func increment(afterReading pause: @Sendable () -> Void) {
    queue.sync {
      let read = count
      pause()
      count = read + 1
    }
  }

  public var value: Int { queue.sync { count } }
}
