extension Isolated {
  actor Scoreboard {
    private(set) var score: Int

    init(score: Int) {
      self.score = score
    }

    func add(_ more: Int) {
      score += more
    }

    func reset() {
      score = 0
    }

    /// An actor's own methods are called as they are: there is no queue to wait for.
    func restart(with first: Int) {
      reset()
      add(first)
    }
  }
}
