#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

/// The fork with the lower number first. One seat takes its right fork first so, and there is no circle.
public final class TableLock: Table {
  private let forks: [NSLock]

  public init(seats: Int) {
    forks = (0..<seats).map { _ in NSLock() }
  }

  public func eat(at seat: Int, betweenForks pause: @Sendable () -> Void) {
    let right = (seat + 1) % forks.count
    forks[min(seat, right)].withLock {
      pause()
      forks[max(seat, right)].withLock {}
    }
  }
}
