extension Locked {
  /// The fork with the lower number first. One seat takes its right fork first so, and there is no cycle.
  final class Table: Sendable {
    private let forks: [Fork]

    init(seats: Int) {
      forks = (0..<seats).map { _ in Fork() }
    }

    func eat(at seat: Int) {
      let right = (seat + 1) % forks.count
      forks[min(seat, right)].use {
        forks[max(seat, right)].use {}
      }
    }
  }
}
