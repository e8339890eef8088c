extension IsolatedCrosswise {
  /// The left fork first, and no thread blocks: to wait for a fork is to suspend, with the other fork in hand.
  struct Table {
    let forks: [AwaitedFork]

    init(seats: Int) {
      forks = (0..<seats).map { _ in AwaitedFork() }
    }

    func eat(at seat: Int) async {
      let right = forks[(seat + 1) % forks.count]
      await forks[seat].take()
      await right.take()
      await right.putBack()
      await forks[seat].putBack()
    }
  }
}
