extension DeadlockDetector {
  /// Those who wait at present: threads and tasks, blocks in their queues, and operations.
  ///
  /// When a program stands still and nothing was found, someone in here waits for what has no holder: a
  /// semaphore, a bare `enter()`, a continuation. Who should have ended that wait, only you know.
  public var waiting: [Finding.Member] {
    state { state in
      let waiters = state.waiters.sorted { ($0.value.number, $0.key) < ($1.value.number, $1.key) }
      var numbers: Set<UInt> = []
      return waiters.compactMap { party, waiter in
        guard let resource = state.graph[party]?.first, numbers.insert(waiter.number).inserted
        else {
          return nil
        }
        return Finding.Member(
          participant: waiter.participant(), resource: resource.name, place: waiter.place,
          holds: nil)
      }
    }
  }
}
