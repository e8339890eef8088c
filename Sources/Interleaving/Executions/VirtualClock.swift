/// The time of one execution, in milliseconds since it began.
struct VirtualClock {
  private(set) var now = 0
  /// Whether time does not pass any more: the process would have ended.
  var stands = false
  /// Each passing of time that came because nothing else could go on.
  private var passages: [Passage] = []
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

  /// Time that has passed because nothing else could go on.
  struct Passage {
    /// To what it has passed.
    let moment: Int
    /// How many steps there were before, and of each strand the last of them.
    let steps: Int
    let lastSteps: [Int]
  }

  mutating func advance(to moment: Int) { now = max(now, moment) }

  /// Time passes, since nothing else can go on.
  mutating func pass(_ passage: Passage) {
    advance(to: passage.moment)
    passages.append(passage)
  }

  /// The passing of time for which somebody had to wait whose moment has come; nil if nobody had to.
  func passage(to moment: Int) -> Passage? { passages.first { $0.moment >= moment } }

  /// Whether a moment has come to which time passes only where nothing else can go on.
  func hasReached(_ moment: Int) -> Bool { moment <= passages.last?.moment ?? 0 }

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
    stands = false
    if !passages.isEmpty { passages.removeAll(keepingCapacity: true) }
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
