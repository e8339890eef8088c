import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let typing = Subject(
    "typing",
    asks: "s, sw and s are typed 10 ms apart, and swift later. What is searched 25 ms behind them?",
    right: .allowed("45 s, 125 swift"),
    implementations: [
      .before(
        "asyncAfter, and a comparison",
        .surprising("25 s, 45 s, 125 swift", "the first s looks like the newest one")
      ) { (_: Stage) in
        let (queue, given) = (DispatchQueue(label: "search"), Given<String>())
        let debounce = Comparing.Debounce<String>(for: pause, on: queue, give: given.note)
        type(letters) { debounce.send($0) }
        return given.told
      }
      .code("DebounceComparing.swift", "if self.newest == value").alwaysWrong
      .inVirtualTime,
      .before("asyncAfter, and a work item that is cancelled") { (_: Stage) in
        let (queue, given) = (DispatchQueue(label: "search"), Given<String>())
        let debounce = try Queued.Debounce<String>(for: pause, on: queue, give: given.note)
        type(letters) { debounce.send($0) }
        return given.told
      }
      .code("DebounceWorkItem.swift", "self.pending?.item.cancel()")
      .inVirtualTime,
      .after(
        "try? around a sleep",
        .surprising("10 s, 20 sw, 45 s, 125 swift", "a sleep that is cancelled ends at once")
      ) { _ in
        let given = Given<String>()
        let debounce = ErrorDropped.Debounce<String>(
          for: pause, on: ContinuousClock(), give: given.note)
        for (time, text) in letters {
          await given.sleep(until: time)
          await debounce.send(text)
        }
        await debounce.pending?.value
        return given.told
      }
      .code("DebounceErrorDropped.swift", "try? await clock.sleep").alwaysWrong
      .inVirtualTime,
      .after("one loop over letters and alarms") { _ in
        let given = Given<String>()
        let (input, inbox) = AsyncStream.makeStream(of: String.self)
        async let typed: Void = type(letters, until: 1_000, into: inbox, given)
        for await text in try input.debounced(for: pause) { given.note(text) }
        await typed
        return given.told
      }
      .code("TimedRule.swift", "switch event")
      .inVirtualTime,
    ])

  static let scrolling = Subject(
    "scrolling",
    asks: "Positions come at 0, 10, 20, 60 and 65 ms, and end at 70. Which are shown, each 25 ms?",
    right: .allowed("0 1, 25 3, 60 4, 70 5"),
    implementations: [
      .before("asyncAfter, and the newest value") { (_: Stage) in
        let (queue, given) = (DispatchQueue(label: "show"), Given<Int>())
        let throttle = try Queued.Throttle<Int>(every: pause, on: queue, give: given.note)
        type(positions) {
          throttle.send($0)
        } end: {
          throttle.finish()
        }
        return given.told
      }
      .code("ThrottleQueue.swift", "private func giveAndWait")
      .inVirtualTime,
      .after("one loop over positions and alarms") { _ in
        let given = Given<Int>()
        let (input, inbox) = AsyncStream.makeStream(of: Int.self)
        async let typed: Void = type(positions, until: 70, into: inbox, given)
        for await position in try input.throttled(every: pause) { given.note(position) }
        await typed
        return given.told
      }
      .code("ThrottleClock.swift", "mutating func wake")
      .inVirtualTime,
    ])
}

private let pause = Duration.milliseconds(25)
private let letters = [(0, "s"), (10, "sw"), (20, "s"), (100, "swift")]
private let positions = [(0, 1), (10, 2), (20, 3), (60, 4), (65, 5)]

/// Sends values at their times, in milliseconds, and waits until all has come of them.
private func type<Value>(
  _ values: [(Int, Value)], _ send: (Value) -> Void, end: () -> Void = {}
) {
  var last = 0
  for (time, value) in values {
    Thread.sleep(forTimeInterval: Double(time - last) / 1_000)
    last = time
    send(value)
  }
  Thread.sleep(forTimeInterval: 0.005)
  end()
  Thread.sleep(forTimeInterval: 1)
}

private func type<Value: Sendable>(
  _ values: [(Int, Value)], until end: Int, into inbox: AsyncStream<Value>.Continuation,
  _ given: Given<Value>
) async {
  for (time, value) in values {
    await given.sleep(until: time)
    inbox.yield(value)
  }
  await given.sleep(until: end)
  inbox.finish()
}

/// What is given, and when.
private final class Given<Value: Sendable>: Sendable {
  private let start = ContinuousClock.now
  private let values = Mutex<[String]>([])

  @Sendable func note(_ value: Value) {
    let time = Int((ContinuousClock.now - start) / .milliseconds(1))
    values.withLock { $0.append("\(time) \(value)") }
  }

  /// - Parameter time: In milliseconds.
  func sleep(until time: Int) async {
    try? await Task.sleep(until: start + .milliseconds(time))
  }

  var told: String { values.withLock { $0 }.joined(separator: ", ") }
}
