/// What becomes of elements in time. It knows no clock, so a test can draw its timeline.
protocol TimedRule<Element>: Sendable {
  associatedtype Element: Sendable

  /// When it wants to be woken next; nil if nothing waits.
  var alarm: Duration? { get }
  /// What it gives when an element comes.
  mutating func take(_ element: Element, at now: Duration) -> Element?
  /// What it gives when it is woken. It may be too early, since another element may have come.
  mutating func wake(at now: Duration) -> Element?
  /// What it gives when no more elements come.
  mutating func end() -> Element?
}

extension AsyncStream where Element: Sendable {
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) throws(TimingError) -> AsyncStream {
    timed(Clocked.Debounce(for: try delay.checked(as: .delay)), on: clock)
  }

  /// The first element, then at most one each interval, the newest, and the last one.
  func throttled(
    every interval: Duration, on clock: any Clock<Duration> = ContinuousClock()
  ) throws(TimingError) -> AsyncStream {
    timed(Clocked.Throttle(every: try interval.checked(as: .interval)), on: clock)
  }

  private func timed(
    _ rule: some TimedRule<Element>, on clock: any Clock<Duration>
  ) -> AsyncStream {
    AsyncStream { output in
      let loop = Task {
        await run(rule, Timeline(clock), output)
        output.finish()
      }
      output.onTermination = { _ in loop.cancel() }
    }
  }

  /// All that happens comes through one stream, and one loop decides. So no element overtakes another.
  private func run(
    _ rule: some TimedRule<Element>, _ timeline: Timeline, _ output: Continuation
  ) async {
    var (rule, isAsleep) = (rule, false)
    let (events, inbox) = AsyncStream<TimedEvent<Element>>.makeStream()
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await element in self { inbox.yield(.element(element, at: timeline.elapsed())) }
        inbox.yield(.ended)
      }
      for await event in events {
        let given: Element?
        switch event {
        case .element(let element, let now): given = rule.take(element, at: now)
        case .awake:
          isAsleep = false
          given = rule.wake(at: timeline.elapsed())
        case .ended:
          given = rule.end()
          inbox.finish()
        }
        if let given { output.yield(given) }
        guard let alarm = rule.alarm, !isAsleep else { continue }
        isAsleep = true
        group.addTask {
          try? await timeline.sleep(alarm)
          inbox.yield(.awake)
        }
      }
      group.cancelAll()
    }
  }
}

private enum TimedEvent<Element: Sendable>: Sendable {
  case element(Element, at: Duration)
  case awake
  case ended
}
