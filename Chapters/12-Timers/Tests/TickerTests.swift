import ChapterTesting
import Interleaving
import InterleavingTesting
import Testing
import Workbook

@testable import Timers

@Suite(.timeLimit(.minutes(30))) struct TickerTests {
  @Test(arguments: TickForm.all)
  func `the n-th tick is not before n intervals, and none is lost`(_ form: TickForm) async throws {
    let (interval, start) = (Duration.milliseconds(2), ContinuousClock.now)
    let ticks = Notes<(missed: Int, time: Duration)>()
    let ticker = try form.begin(interval) { ticks.note(($0, ContinuousClock.now - start)) }
    await ticks.wait(for: 5)
    await ticker.stop()
    var number = 0
    for tick in ticks.values {
      number += tick.missed
      // The clocks do not begin at the same moment.
      #expect(tick.time > interval * number - .milliseconds(1), "\(number)")
      number += 1
    }
  }

  @Test(arguments: TickForm.all)
  func `a pause of ten intervals is one tick that counts what was missed`(
    _ form: TickForm
  ) async throws {
    let ticks = Notes<Int>()
    let ticker = try form.begin(.milliseconds(1)) { ticks.note($0) }
    await ticks.wait(for: 1)
    await ticker.pause()
    // Time has to pass; nothing is ordered by it.
    try await Task.sleep(for: .milliseconds(12))
    await ticker.resume()
    await ticks.wait(for: ticks.values.count + 2)
    await ticker.stop()
    #expect(ticks.values.contains { $0 >= 9 }, "\(ticks.values)")
  }

  @Test(arguments: TickForm.all)
  func `no tick comes behind a stop`(_ form: TickForm) async throws {
    for _ in 0..<50 {
      let ticks = Notes<Int>()
      let ticker = try form.begin(.microseconds(50)) { ticks.note($0) }
      await ticks.wait(for: 1)
      await ticker.stop()
      let count = ticks.values.count
      await Task.yield()
      #expect(ticks.values.count == count)
    }
  }

  @Test func `a tick for which the clock wakes late is counted once`() async throws {
    for (late, expected) in [
      (Clocked.Ticker.Late.skipped, [(0, 0), (3, 2), (6, 2), (9, 2)]),
      (.caughtUp, [(0, 0), (1, 0), (2, 0), (3, 0)]),
    ] {
      let ticker = try Clocked.Ticker(
        every: .milliseconds(100), on: LateClock(by: .milliseconds(250)), late: late)
      var ticks: [(Int, Int)] = []
      for await tick in ticker {
        ticks.append((tick.number, tick.missed))
        if ticks.count == 4 { break }
      }
      #expect(ticks.elementsEqual(expected, by: ==), "\(ticks)")
    }
  }

  @Test func `the clock may be late by half an interval at most, as a timer of Dispatch`()
    async throws
  {
    for (tolerance, told) in [
      (nil, nil), (Duration.milliseconds(50), Duration.milliseconds(50)),
      (.milliseconds(51), .milliseconds(50)), (.hour, .milliseconds(50)),
    ] {
      let clock = LateClock()
      let ticker = try Clocked.Ticker(
        every: .milliseconds(100), on: clock, tolerance: tolerance)
      for await _ in ticker { break }
      #expect(clock.tolerances.values == [told])
    }
  }

  // MARK: In virtual time

  @Test(
    .explored,
    arguments: [
      // How long the body takes, in milliseconds, and the ticks behind it, skipped and caught up.
      (0, "1, 2", "1, 2"), (9, "1, 2", "1, 2"), (10, "1, 2", "1, 2"), (19, "1, 2", "1, 2"),
      (20, "2 (1 missed), 3", "1, 2"), (35, "3 (2 missed), 4", "1, 2"),
      (100, "10 (9 missed), 11", "1, 2"),
    ])
  func `late ticks are skipped or caught up`(
    _ body: Int, _ skipped: String, _ caughtUp: String
  ) async throws {
    for (late, expected) in [(Clocked.Ticker.Late.skipped, skipped), (.caughtUp, caughtUp)] {
      let exploration = await exploreAsIfWorkTookNoTime {
        var told: [String] = []
        for await tick in try Clocked.Ticker(every: .milliseconds(10), late: late) {
          if tick.number == 0 {
            try await Task.sleep(for: .milliseconds(body))
          } else {
            told.append("\(tick.number)" + (tick.missed > 0 ? " (\(tick.missed) missed)" : ""))
          }
          if told.count == 2 { break }
        }
        return told.joined(separator: ", ")
      }
      #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
      #expect(Set(exploration.outcomes.keys) == [expected], "\(late)")
    }
  }

  @Test(.explored) func `a loop that is cancelled ends, asleep or late`() async throws {
    let exploration = await explore(time: .passesAtAnyStep) {
      let loop = Task {
        var count = 0
        for await _ in try Clocked.Ticker(every: .seconds(1)) {
          count += 1
          if count == 2 { break }
        }
        return count
      }
      loop.cancel()
      return try await loop.value
    }
    #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [0, 1, 2], "\(exploration)")
  }
}
