/// The time of one execution, in milliseconds since it began.
struct VirtualClock {
  private(set) var now = 0
  private var polls: [Poll: Count] = [:]

  /// Readings by one strand at one place in the program.
  private struct Poll: Hashable {
    let strand: StrandID
    let place: Place
  }

  private struct Count {
    /// When the last one was.
    var moment: Int
    /// How many there were since time has passed.
    var readings = 0
    /// How long the next wait is, in milliseconds.
    var wait = 1
  }

  mutating func advance(to moment: Int) { now = max(now, moment) }

  /// When a task wakes that goes to sleep.
  func deadline(after duration: Duration) -> Int {
    let (moment, isTooFar) = now.addingReportingOverflow(max(0, duration.milliseconds))
    return isTooFar ? .max : moment
  }

  /// Notes that a strand reads the clock.
  ///
  /// Time passes only where somebody waits for it. So who reads the clock again and again, until it tells what is wanted,
  /// is taken to wait: after fifty readings at one place, for a millisecond, then two, and so on up to ten minutes.
  ///
  /// - Returns: How long it waits, in milliseconds; nil if it does not.
  mutating func read(by strand: StrandID, at place: Place) -> Int? {
    let poll = Poll(strand: strand, place: place)
    var count = polls[poll] ?? Count(moment: now)
    if count.moment != now { count = Count(moment: now) }
    count.readings += 1
    var wait: Int?
    if count.readings == 50 {
      wait = count.wait
      count = Count(moment: now + count.wait, wait: min(2 * count.wait, 600_000))
    }
    polls[poll] = count
    return wait
  }

  mutating func reset() {
    now = 0
    if !polls.isEmpty { polls.removeAll(keepingCapacity: true) }
  }
}

extension Duration {
  /// The duration in milliseconds, rounded up; less than a microsecond too much is what sums of dates are off.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    let (product, overflow) = Int(seconds).multipliedReportingOverflow(by: 1000)
    let isMore = rest >= 1_000_000_000_000 || rest > 0 && whole == 0 && seconds == 0
    return overflow ? (seconds > 0 ? .max / 2 : 0) : product + Int(whole) + (isMore ? 1 : 0)
  }
}
