import Dispatch
import Interleaving
import Synchronization
import Testing
import Workbook

@testable import Timers

/// A document that is saved by one of the two sides.
struct Saver: Sendable {
  let pause: @Sendable () async -> Void
  let resume: @Sendable () async -> Void
  let close: @Sendable () async throws -> Void
}

/// A form of the autosaver.
struct SaverForm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let begin:
    @Sendable (Document, Duration, @escaping Write, @escaping @Sendable (any Error) -> Void) throws
      -> Saver

  static let all = [
    SaverForm(testDescription: "timer source") { document, interval, write, report in
      let saver = try Sourced.Autosaver(document, every: interval, write: write, report: report)
      return Saver(
        pause: { await blocking { saver.pause() } }, resume: { saver.resume() },
        close: { try await blocking { Result { try saver.close() } }.get() })
    },
    SaverForm(testDescription: "ticks of a clock") { document, interval, write, report in
      let saver = Clocked.Autosaver(document, write: { try write($0) }, report: report)
      let running = Mutex<Task<Void, any Error>?>(Task { try await saver.run(every: interval) })
      return Saver(
        pause: { await saver.pause() }, resume: { await saver.resume() },
        close: {
          let loop =
            running.withLock { $0.take() } ?? Task { try await saver.run(every: interval) }
          loop.cancel()
          try await loop.value
        })
    },
  ]
}

/// Ticks of one of the two sides.
struct Ticks: Sendable {
  let pause: @Sendable () async -> Void
  let resume: @Sendable () async -> Void
  /// It returns when no tick comes any more.
  let stop: @Sendable () async -> Void
}

/// A form of ticks in real time.
struct TickForm: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let begin: @Sendable (Duration, @escaping @Sendable (_ missed: Int) -> Void) throws -> Ticks

  static let all = [
    source("monotonic timer source", .monotonic), source("wall timer source", .wall),
    clock("continuous clock", ContinuousClock()), clock("suspending clock", SuspendingClock()),
  ]

  private static func source(
    _ name: String, _ base: Sourced.Ticker.TimeBase
  ) -> TickForm {
    TickForm(testDescription: name) { interval, tick in
      let isStopped = Gate()
      let ticker = try Sourced.Ticker(
        every: interval, by: base, on: DispatchQueue(label: "ticks"),
        stopped: { isStopped.open() }, tick: tick)
      ticker.start()
      return Ticks(
        pause: { ticker.pause() }, resume: { ticker.resume() },
        stop: {
          ticker.stop()
          await isStopped.wait()
        })
    }
  }

  private static func clock(_ name: String, _ clock: any Clock<Duration>) -> TickForm {
    TickForm(testDescription: name) { interval, tick in
      let (ticker, valve) = (try Clocked.Ticker(every: interval, on: clock), Valve())
      let loop = Task {
        var ticks = ticker.makeAsyncIterator()
        while !Task.isCancelled {
          await valve.pass()
          guard let next = await ticks.next() else { return }
          tick(next.missed)
        }
      }
      return Ticks(
        pause: { valve.close() }, resume: { valve.open() },
        stop: {
          valve.open()
          loop.cancel()
          await loop.value
        })
    }
  }
}

/// A gate that can be closed again.
private final class Valve: Sendable {
  private let gate = Mutex<Gate?>(nil)

  func close() { gate.withLock { $0 = Gate() } }
  func open() { gate.withLock { $0.take() }?.open() }
  func pass() async { await gate.withLock { $0 }?.wait() }
}

/// A clock that passes when somebody sleeps, wakes sleepers late, and lets others run meanwhile.
struct LateClock: Clock {
  let lateness: Duration
  let tolerances = Notes<Duration?>()
  private let clock = VirtualClock()

  init(by lateness: Duration = .zero) { self.lateness = lateness }

  var now: VirtualClock.Instant { clock.now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: VirtualClock.Instant, tolerance: Duration?) async throws {
    tolerances.note(tolerance)
    let rest = now.duration(to: deadline)
    if rest > .zero { clock.advance(by: rest + lateness) }
    await Task.yield()
  }
}

/// What was noted, and who waits for how much of it.
final class Notes<Value: Sendable>: Sendable {
  private let state = Mutex<(values: [Value], waiters: [(Int, Gate)])>(([], []))

  var values: [Value] { state.withLock { $0.values } }

  @Sendable func note(_ value: Value) {
    let ready = state.withLock { state in
      state.values.append(value)
      let count = state.values.count
      defer { state.waiters.removeAll { $0.0 <= count } }
      return state.waiters.filter { $0.0 <= count }
    }
    for (_, gate) in ready { gate.open() }
  }

  /// Waits until there are so many.
  func wait(for count: Int) async {
    let gate = Gate()
    let isThere = state.withLock { state in
      if state.values.count < count { state.waiters.append((count, gate)) }
      return state.values.count >= count
    }
    if !isThere { await gate.wait() }
  }
}

/// All schedules of a scenario that nobody outside goes on with. Nothing is due before all else has come to rest.
func exploreAsIfWorkTookNoTime(
  _ scenario: @escaping @Sendable () async throws -> String
) async -> Exploration<String> {
  await exploreClosed(
    .reduced(assuming: .controlledSharing), limit: 100_000, time: .passesWhenIdle,
    allowing: { _ in true }, scenario: scenario)
}
