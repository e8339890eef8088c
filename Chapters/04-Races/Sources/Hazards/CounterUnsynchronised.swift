#if EXPLORED
  import ControlledDispatch
#else
  import Interleaving
#endif

// It is Sendable because `Shared` says so of itself, and that is false on purpose: this races. It runs in
// a child process, or under the explorer, only.
public final class CounterUnsynchronised: Counter {
  private let count = Shared(0, "count")

  public init() {}

  /// `count += 1`, written as the read, the addition and the write that it is.
  public func increment(afterReading pause: @Sendable () -> Void) {
    let read = count.value
    pause()
    count.value = read + 1
  }

  public var value: Int { count.value }
}
