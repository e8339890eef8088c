#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
  import Foundation
#endif

/// One seat fewer than forks is let to the table at a time, so one of those there gets both.
public final class TableSemaphore: Table {
  private let forks: [NSLock]
  private let chairs: DispatchSemaphore

  public init(seats: Int) {
    forks = (0..<seats).map { _ in NSLock() }
    chairs = DispatchSemaphore(value: seats - 1)
  }

  public func eat(at seat: Int, betweenForks pause: @Sendable () -> Void) {
    chairs.wait()
    defer { chairs.signal() }
    forks[seat].withLock {
      pause()
      forks[(seat + 1) % forks.count].withLock {}
    }
  }
}
