#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

/// Philosophers around a table, a fork between each two. Whoever eats needs both forks beside the seat.
public final class TableLeftFirst: Table {
  private let forks: [NSLock]

  public init(seats: Int) {
    forks = (0..<seats).map { _ in NSLock() }
  }

  public func eat(at seat: Int, betweenForks pause: @Sendable () -> Void) {
    forks[seat].withLock {
      pause()
      forks[(seat + 1) % forks.count].withLock {}
    }
  }
}
