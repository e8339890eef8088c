extension LockedCrosswise {
  /// Philosophers around a table, a fork between each two. To eat takes both forks beside the seat.
  final class Table: Sendable {
    let forks: [Fork]

    init(seats: Int) {
      forks = (0..<seats).map { _ in Fork() }
    }

    func eat(at seat: Int) {
      forks[seat].use {
        forks[(seat + 1) % forks.count].use {}
      }
    }
  }
}
