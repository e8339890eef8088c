import Dispatch

extension Chaired {
  /// One seat fewer than forks is let to the table at a time, so one of those there gets both.
  final class Table: Sendable {
    private let forks: [Fork]
    private let chairs: DispatchSemaphore

    init(seats: Int) {
      forks = (0..<seats).map { _ in Fork() }
      chairs = DispatchSemaphore(value: seats - 1)
    }

    func eat(at seat: Int) {
      chairs.wait()
      defer { chairs.signal() }
      forks[seat].use {
        forks[(seat + 1) % forks.count].use {}
      }
    }
  }
}
