extension Clocked {
  /// Gives an element at once, then at most one each interval: the newest.
  struct Throttle<Element: Sendable>: TimedRule {
    let interval: Duration
    /// From when on the next one may be given.
    private var next: Duration?
    private var newest: Element?

    init(every interval: Duration) { self.interval = interval }

    var alarm: Duration? { newest == nil ? nil : next }

    mutating func take(_ element: Element, at now: Duration) -> Element? {
      newest = element
      return wake(at: now)
    }

    mutating func wake(at now: Duration) -> Element? {
      if let next, now < next { return nil }
      guard newest != nil else { return nil }
      next = now + interval
      return end()
    }

    mutating func end() -> Element? { newest.take() }
  }
}
