extension Clocked {
  /// Gives an element at once, then at most one each interval: the newest.
  struct Throttle<Element: Sendable>: TimedRule {
    let interval: Duration
    /// From when on the next one may be given.
    private var next: Duration?
    private var newest: Element?

    init(every interval: Duration) { self.interval = interval }

    var alarm: Duration? { newest == nil ? nil : next }

    mutating func take(_ element: Element, at time: Moment) -> Element? {
      newest = element
      return wake(at: time)
    }

    mutating func wake(at time: Moment) -> Element? {
      // Now, and not when it came: if the loop was held up, several would be given at once.
      if let next, time.now < next { return nil }
      guard newest != nil else { return nil }
      next = time.now + interval
      return end()
    }

    mutating func end() -> Element? { newest.take() }
  }
}
