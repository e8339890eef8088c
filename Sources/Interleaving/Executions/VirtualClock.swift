/// The time of one execution, in milliseconds since it began.
struct VirtualClock {
  private(set) var now = 0
  /// Whether some task of the scenario has slept, so that the real time of each step matters.
  private var readsTime = false
  private var stepBegan = ContinuousClock.now

  mutating func beginStep() {
    if readsTime { stepBegan = .now }
  }

  mutating func advance(to moment: Int) { now = max(now, moment) }

  /// When a task wakes that goes to sleep.
  ///
  /// - Parameter isExact: Whether no time has gone by since the task said for how long.
  /// - Returns: The moment; and whether it can be told.
  mutating func deadline(
    after duration: Duration, isExact: Bool
  ) -> (moment: Int, isSure: Bool) {
    var milliseconds: Int? = duration.milliseconds
    if !isExact {
      milliseconds = readsTime ? duration.asSaid(late: ContinuousClock.now - stepBegan) : nil
      readsTime = true
    }
    return (now + max(0, milliseconds ?? duration.milliseconds), milliseconds != nil)
  }

  mutating func reset() { now = 0 }
}

extension Duration {
  /// The duration in milliseconds, rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds > 0 ? .max / 2 : 0) : product + Int(whole) + (rest > 0 ? 1 : 0)
  }

  /// What a task said that it would sleep, in milliseconds, given what was left of it a little later;
  /// nil if that cannot be told.
  ///
  /// People sleep for round times: the roundest that may have been said is taken.
  ///
  /// - Parameter late: How much later at most.
  func asSaid(late: Duration) -> Int? {
    guard late <= max(.microseconds(800), self / 50) else { return nil }
    let (least, most) = (milliseconds, (self + late + .milliseconds(1)).milliseconds - 1)
    for unit in [3_600_000, 60_000, 10_000, 1_000, 100, 10, 1] {
      let round = (least + unit - 1) / unit * unit
      if round <= max(least, most) { return round }
    }
    return least
  }
}
