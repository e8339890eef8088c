/// The left fork first, and no thread blocks: who waits for a fork suspends, and keeps the fork it has.
public struct TableOfForks: Sendable {
  private let forks: [any Fork]

  public init(_ forks: [any Fork]) {
    self.forks = forks
  }

  public func eat(at seat: Int, betweenForks pause: @Sendable () async -> Void = {}) async {
    let right = forks[(seat + 1) % forks.count]
    await forks[seat].take()
    await pause()
    await right.take()
    await right.putBack()
    await forks[seat].putBack()
  }
}
