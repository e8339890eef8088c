extension Clocked {
  /// Gives an element when no other has come for a while, and the last one when there are no more.
  struct Debounce<Element: Sendable>: TimedRule {
    let delay: Duration
    private var newest: Element?
    private(set) var alarm: Duration?

    init(for delay: Duration) { self.delay = delay }

    mutating func take(_ element: Element, at time: Moment) -> Element? {
      // What was due when the element came has been followed by quiet, though the alarm may come behind the element.
      let due = wake(at: time)
      (newest, alarm) = (element, time.came + delay)
      return due
    }

    mutating func wake(at time: Moment) -> Element? {
      // When it came, and not now: if the loop was held up, a newer element may be next.
      guard let alarm, time.came >= alarm else { return nil }
      return end()
    }

    mutating func end() -> Element? {
      alarm = nil
      return newest.take()
    }
  }
}
