import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

private struct Failure: Error {}

/// A clock on which one second takes four.
private struct SlowClock: Clock {
  struct Instant: InstantProtocol {
    let time: Duration

    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (first: Instant, second: Instant) -> Bool { first.time < second.time }
  }

  private let start = ContinuousClock.now

  var now: Instant { Instant(time: (ContinuousClock.now - start) / 4 + .seconds(1_000)) }
  var minimumResolution: Duration { .zero }

  /// Until what is past, it sleeps not at all.
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    guard deadline > now else { return }
    try await Task.sleep(until: start + (deadline.time - .seconds(1_000)) * 4)
  }
}

/// What the bodies of ticks do, and when they are called.
private final class Station: Sendable {
  private let start = ContinuousClock.now
  private let notes = Mutex<[String]>([])
  private let calls = Mutex(0)
  /// How long each body takes, in seconds; those behind them take no time.
  private let seconds: [Double]
  /// After how many bodies one fails.
  private let failing: Int?
  private let isDeaf: Bool

  /// - Parameter isDeaf: Whether bodies do not listen to the cancellation of their task.
  init(_ seconds: Double..., failing: Int? = nil, isDeaf: Bool = false) {
    self.seconds = seconds
    self.failing = failing
    self.isDeaf = isDeaf
  }

  var story: String { notes.withLock { $0 }.joined(separator: ", ") }

  func note(_ text: String) {
    let time = (ContinuousClock.now - start) / .seconds(1)
    notes.withLock { $0.append("\(text) at \(time)") }
  }

  @Sendable func measure(_ tick: Tick) async throws {
    let call = calls.withLock { calls in
      calls += 1
      return calls
    }
    let missed = tick.missed == 0 ? "" : " (missed \(tick.missed))"
    note("\(tick.number)\(missed)\(Task.isCancelled ? ", though cancelled," : "")")
    if call <= seconds.count {
      let time = Duration.seconds(seconds[call - 1])
      if isDeaf {
        await Task { try? await Task.sleep(for: time) }.value
      } else {
        try await Task.sleep(for: time)
      }
    }
    if call == failing { throw Failure() }
  }

  /// Measures each ten seconds until it is cancelled, and tells how it ended.
  func run(_ interval: Duration = .seconds(10), on clock: some Clock<Duration>) async {
    do {
      try await everyInterval(interval, on: clock, measure)
      note("returned")
    } catch is CancellationError {
      note("cancelled")
    } catch let error as IntervalError {
      note("no interval: \(error.interval / .seconds(1))")
    } catch {
      note("\(type(of: error))")
    }
  }

  func story(
    every interval: Duration = .seconds(10), on clock: some Clock<Duration> = ContinuousClock(),
    cancelledAfter time: Double
  ) async throws -> String {
    let loop = Task(name: "loop") { await run(interval, on: clock) }
    try await Task.sleep(for: .seconds(time))
    loop.cancel()
    await loop.value
    return story
  }
}

private let some = Orders.upTo(classes: 100, preempted: 60, drawn: 40)

private func check(
  _ right: String, _ scenario: @escaping @Sendable () async throws -> String
) async {
  await everyOrder(
    gives: right, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
}

@Test func `the first tick is one interval after the beginning`() async {
  await check("cancelled at 9.0") { try await Station().story(cancelledAfter: 9) }
  await check("1 at 10.0, 2 at 20.0, 3 at 30.0, cancelled at 35.0") {
    try await Station().story(cancelledAfter: 35)
  }
}

@Test func `however long bodies take, each tick is on time`() async {
  await check("1 at 10.0, 2 at 20.0, 3 at 30.0, 4 at 40.0, 5 at 50.0, cancelled at 55.0") {
    try await Station(5, 9.5, 0, 2).story(cancelledAfter: 55)
  }
  await check("1 at 0.25, 2 at 0.5, 3 at 0.75, cancelled at 0.9") {
    try await Station(0.125, 0.2, 0.01).story(every: .milliseconds(250), cancelledAfter: 0.9)
  }
}

@Test func `ticks that are late are skipped, and the next one is on time and says how many`() async
{
  await check("1 at 10.0, 3 (missed 1) at 30.0, 4 at 40.0, cancelled at 45.0") {
    try await Station(15).story(cancelledAfter: 45)
  }
  await check("1 at 10.0, 5 (missed 3) at 50.0, 6 at 60.0, cancelled at 65.0") {
    try await Station(31).story(cancelledAfter: 65)
  }
}

@Test func `each tick says what was skipped since the one before it`() async {
  await check(
    "1 at 10.0, 4 (missed 2) at 40.0, 5 at 50.0, 7 (missed 1) at 70.0, 8 at 80.0, cancelled at 85.0"
  ) {
    try await Station(25, 1, 11).story(cancelledAfter: 85)
  }
}

@Test func `one that is due when a body returns is on time`() async {
  await check("1 at 10.0, 2 at 20.0, 3 at 30.0, cancelled at 35.0") {
    try await Station(10, 10).story(cancelledAfter: 35)
  }
  await check("1 at 10.0, 4 (missed 2) at 40.0, 5 at 50.0, cancelled at 55.0") {
    try await Station(30).story(cancelledAfter: 55)
  }
}

@Test func `its time is that of its clock`() async {
  await check("1 at 40.0, 2 at 80.0, 4 (missed 1) at 160.0, 5 at 200.0, cancelled at 210.0") {
    try await Station(1, 41).story(on: SlowClock(), cancelledAfter: 210)
  }
  await check("1 at 40.0, 2 at 80.0, cancelled at 100.0") {
    try await Station(40).story(on: SlowClock(), cancelledAfter: 100)
  }
}

@Test func `when it is cancelled between two ticks, it ends at once`() async {
  await check("1 at 10.0, cancelled at 12.0") { try await Station().story(cancelledAfter: 12) }
  await check("1 at 10.0, cancelled at 28.0") { try await Station(15).story(cancelledAfter: 28) }
}

@Test func `a cancellation in the moment of a tick comes before it, after it, or as it begins`()
  async
{
  await everyOrder(
    gives: "1 at 10.0, cancelled at 20.0", "1 at 10.0, 2 at 20.0, cancelled at 20.0",
    "1 at 10.0, 2, though cancelled, at 20.0, cancelled at 20.0", within: some, steps: 2_000,
    time: .passesWhenIdle
  ) {
    try await Station().story(cancelledAfter: 20)
  }
}

@Test func `when a body throws the cancellation, it ends`() async {
  await check("1 at 10.0, cancelled at 12.0") { try await Station(5).story(cancelledAfter: 12) }
}

@Test func `when a body does not listen to the cancellation, no tick follows it`() async {
  await check("1 at 10.0, cancelled at 15.0") {
    try await Station(5, isDeaf: true).story(cancelledAfter: 12)
  }
  await check("1 at 10.0, cancelled at 20.0") {
    try await Station(10, isDeaf: true).story(cancelledAfter: 12)
  }
  await check("1 at 10.0, cancelled at 40.0") {
    try await Station(30, isDeaf: true).story(cancelledAfter: 12)
  }
}

@Test func `so it is where the clock does not sleep until what is past`() async {
  await check("1 at 40.0, cancelled at 80.0") {
    try await Station(40, isDeaf: true).story(on: SlowClock(), cancelledAfter: 50)
  }
}

@Test func `an error of a body ends it, and is thrown`() async {
  await check("1 at 10.0, 2 at 20.0, Failure at 23.0") {
    try await Station(0, 3, failing: 2).story(cancelledAfter: 100)
  }
}

@Test func `an interval of zero or less is an error, at once`() async {
  await check("no interval: 0.0 at 0.0") {
    try await Station().story(every: .zero, cancelledAfter: 100)
  }
  await check("no interval: -10.0 at 0.0") {
    try await Station().story(every: .seconds(-10), cancelledAfter: 100)
  }
}
