#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because `count` is read and written under `lock` only.
public final class CounterLock: Counter, @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  public init() {}

  public func increment(afterReading pause: @Sendable () -> Void) {
    lock.withLock {
      let read = count
      pause()
      count = read + 1
    }
  }

  public var value: Int { lock.withLock { count } }
}
