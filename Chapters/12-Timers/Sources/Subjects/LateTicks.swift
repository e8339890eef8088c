import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let lateTicks = Subject(
    "late-ticks",
    asks: "The first save takes 350 ms of an interval of 100 ms. When are the next two ticks?",
    right: .allowed("0, 350 with 2 missed, 400 ms"),
    implementations: [
      .before(
        "a block that asks for the next", .surprising("0, 450, 550 ms", "the delay begins too late")
      ) { (_: Stage) in
        let ticks = Ticks()
        let ticker = Drifting.Ticker(every: Ticks.interval, on: ticks.queue) { ticks.tick() }
        ticker.start()
        return ticks.waitForThree { ticker.stop() }
      }
      .code("TickerDrifting.swift", "queue.asyncAfter").alwaysWrong
      .inVirtualTime,
      .before("timer source") { (_: Stage) in
        let ticks = Ticks()
        let ticker = try Sourced.Ticker(every: Ticks.interval, on: ticks.queue) {
          ticks.tick(missed: $0)
        }
        ticker.start()
        return ticks.waitForThree { ticker.stop() }
      }
      .code("TickerSource.swift", "timer.setEventHandler")
      .inVirtualTime,
      .after(
        "a loop that sleeps", .surprising("0, 450, 550 ms", "the sleep begins too late")
      ) { _ in
        let times = Times()
        await Task {
          await Drifting.ticks(every: Ticks.interval, on: ContinuousClock()) {
            if await times.tick() == 3 { withUnsafeCurrentTask { $0?.cancel() } }
          }
        }.value
        return times.told
      }
      .code("TickerDrifting.swift", "try? await clock.sleep").alwaysWrong
      .inVirtualTime,
      .after("ticks of a clock") { _ in
        let times = Times()
        for await tick in try Clocked.Ticker(every: Ticks.interval) {
          if await times.tick(missed: tick.missed) == 3 { break }
        }
        return times.told
      }
      .code("TickerClock.swift", "let due")
      .inVirtualTime,
      .after("ticks that catch up", .allowed("0, 350, 350 ms", "none is missed")) { _ in
        let times = Times()
        for await tick in try Clocked.Ticker(every: Ticks.interval, late: .caughtUp) {
          if await times.tick(missed: tick.missed) == 3 { break }
        }
        return times.told
      }
      .code("TickerClock.swift", "if late == .skipped")
      .inVirtualTime,
    ])

  static let thousandthTick = Subject(
    "thousandth-tick",
    asks: "The first ten saves take 3 ms of an interval of 10 ms. When is the thousandth tick?",
    right: .allowed("at 9990 ms"),
    implementations: [
      .before("timer source") { (_: Stage) in
        let (queue, isOver) = (DispatchQueue(label: "save"), DispatchSemaphore(value: 0))
        let ticks = TickCount()
        let ticker = try Sourced.Ticker(
          every: .milliseconds(10), on: queue, stopped: { isOver.signal() }
        ) { _ in ticks.tick() }
        ticks.whenOver = ticker.stop
        ticker.start()
        isOver.wait()
        return ticks.told
      }
      .code("TickerSource.swift", "timer.schedule(deadline:")
      .inVirtualTime,
      .after(
        "a loop that sleeps", .allowed("at 10020 ms", "late by all that the saves took")
      ) { _ in
        await Task {
          let start = ContinuousClock.now
          var (count, last) = (0, start)
          await Drifting.ticks(every: .milliseconds(10), on: ContinuousClock()) {
            count += 1
            if count <= 10 { try? await Task.sleep(for: .milliseconds(3)) }
            guard count == 1_000 else { return }
            last = .now
            withUnsafeCurrentTask { $0?.cancel() }
          }
          return "at \(Int((last - start) / .milliseconds(1))) ms"
        }.value
      }
      .code("TickerDrifting.swift", "try? await clock.sleep").alwaysWrong
      .inVirtualTime,
      .after("ticks of a clock") { _ in
        let start = ContinuousClock.now
        for await tick in try Clocked.Ticker(every: .milliseconds(10)) {
          if tick.number == 999 { break }
          if tick.number < 10 { try await Task.sleep(for: .milliseconds(3)) }
        }
        return "at \(Int((ContinuousClock.now - start) / .milliseconds(1))) ms"
      }
      .code("TickerClock.swift", "timeline.sleep(interval * number)")
      .inVirtualTime,
    ])
}

/// How many ticks there were, and when the last one was.
// Sendable because it is used on the ticks' queue, and then when that is over.
private final class TickCount: @unchecked Sendable {
  private let start = DispatchTime.now()
  private var (count, last) = (0, DispatchTime.now())
  var whenOver: () -> Void = {}

  func tick() {
    count += 1
    if count <= 10 { Thread.sleep(forTimeInterval: 0.003) }
    guard count == 1_000 else { return }
    last = .now()
    whenOver()
  }

  var told: String {
    "at \((last.uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000) ms"
  }
}

/// When there were ticks of a queue. The work of the first one takes 350 ms.
private final class Ticks: Sendable {
  static let interval = Duration.milliseconds(100)

  let queue = DispatchQueue(label: "save")
  private let start = DispatchTime.now()
  private let ticks = Mutex<[String]>([])
  private let isOver = DispatchSemaphore(value: 0)

  func tick(missed: Int = 0) {
    let time = (DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1_000_000
    let count = ticks.withLock { ticks in
      ticks.append(words(Int(time), missed))
      return ticks.count
    }
    if count == 1 { Thread.sleep(forTimeInterval: 0.35) }
    if count == 3 { isOver.signal() }
  }

  func waitForThree(_ stop: () -> Void) -> String {
    isOver.wait()
    stop()
    return ticks.withLock { $0.prefix(3) }.joined(separator: ", ") + " ms"
  }
}

/// The same for a loop.
private final class Times: Sendable {
  private let start = ContinuousClock.now
  private let ticks = Mutex<[String]>([])

  /// - Returns: How many there were.
  func tick(missed: Int = 0) async -> Int {
    let time = Int((ContinuousClock.now - start) / .milliseconds(1))
    let count = ticks.withLock { ticks in
      ticks.append(words(time, missed))
      return ticks.count
    }
    if count == 1 { try? await Task.sleep(for: .milliseconds(350)) }
    return count
  }

  var told: String { ticks.withLock { $0 }.joined(separator: ", ") + " ms" }
}

private func words(_ time: Int, _ missed: Int) -> String {
  "\(time)" + (missed == 0 ? "" : " with \(missed) missed")
}
