extension Clocked {
  /// Gives an element when no other has come for a while, and the last one when there are no more.
  struct Debounce<Element: Sendable>: TimedRule {
    let delay: Duration
    private var newest: Element?
    private(set) var alarm: Duration?

    init(for delay: Duration) { self.delay = delay }

    mutating func take(_ element: Element, at now: Duration) -> Element? {
      (newest, alarm) = (element, now + delay)
      return nil
    }

    mutating func wake(at now: Duration) -> Element? {
      guard let alarm, now >= alarm else { return nil }
      return end()
    }

    mutating func end() -> Element? {
      alarm = nil
      return newest.take()
    }
  }
}
