#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class CounterMutex: Counter {
  private let count = Mutex(0)

  public init() {}

  public func increment(afterReading pause: @Sendable () -> Void) {
    count.withLock { count in
      let read = count
      pause()
      count = read + 1
    }
  }

  public var value: Int { count.withLock { $0 } }
}
