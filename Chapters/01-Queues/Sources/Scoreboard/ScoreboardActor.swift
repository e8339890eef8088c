public actor ScoreboardActor {
  public private(set) var score: Int

  public init(score: Int) {
    self.score = score
  }

  public func add(_ more: Int, afterReading pause: @Sendable () -> Void = {}) {
    let read = score
    pause()
    score = read + more
  }

  public func reset() {
    score = 0
  }

  /// An actor's own methods are called as they are: there is no queue to wait for.
  public func restart(with first: Int) {
    reset()
    add(first)
  }
}
