#if EXPLORED
  import ControlledDispatch
#else
  import Synchronization
#endif

public final class CounterAtomic: Counter {
  private let count = Atomic(0)

  public init() {}

  /// The processor reads, adds and writes in one step, so there is no middle to stop in.
  public func increment(afterReading pause: @Sendable () -> Void) {
    count.add(1, ordering: .relaxed)
  }

  public var value: Int { count.load(ordering: .relaxed) }
}
