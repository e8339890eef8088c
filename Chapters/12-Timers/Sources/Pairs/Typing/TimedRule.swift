/// What becomes of elements in time. It knows no clock, so a test can draw its timeline.
///
/// While the loop is held up, events wait for it. So each has two times.
protocol TimedRule<Element>: Sendable {
  associatedtype Element: Sendable

  /// When it wants to be woken next; nil if nothing waits. It moves later only, since the loop sleeps once at a time.
  var alarm: Duration? { get }
  /// What it gives when an element comes.
  mutating func take(_ element: Element, at time: Moment) -> Element?
  /// What it gives when it is woken. It may be too early, since another element may have come.
  mutating func wake(at time: Moment) -> Element?
  /// What it gives when no more elements come.
  mutating func end() -> Element?
}

/// When an event came, and when the loop has come to it.
struct Moment: Sendable {
  let came: Duration
  let now: Duration
}

extension AsyncStream where Element: Sendable {
  /// The elements that are followed by quiet, and the last one.
  func debounced(
    for delay: Duration, on clock: any Clock<Duration> = SuspendingClock()
  ) throws(TimingError) -> AsyncStream {
    // No bound, because each pause counts.
    timed(Clocked.Debounce(for: try delay.checked(as: .delay)), on: clock, .unbounded)
  }

  /// The first element, then at most one each interval, the newest, and the last one. A slower reader gets the newest.
  func throttled(
    every interval: Duration, on clock: any Clock<Duration> = SuspendingClock()
  ) throws(TimingError) -> AsyncStream {
    timed(
      Clocked.Throttle(every: try interval.checked(as: .interval)), on: clock, .bufferingNewest(1))
  }

  private func timed(
    _ rule: some TimedRule<Element>, on clock: any Clock<Duration>,
    _ buffering: Continuation.BufferingPolicy
  ) -> AsyncStream {
    AsyncStream(bufferingPolicy: buffering) { output in
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
    let (events, inbox) = AsyncStream<(TimedEvent<Element>, came: Duration)>.makeStream()
    let tell = { @Sendable event in _ = inbox.yield((event, timeline.elapsed())) }
    await withDiscardingTaskGroup { group in
      group.addTask {
        for await element in self { tell(.element(element)) }
        tell(.ended)
      }
      for await (event, came) in events {
        let time = Moment(came: came, now: timeline.elapsed())
        let given: Element?
        switch event {
        case .element(let element): given = rule.take(element, at: time)
        case .awake:
          isAsleep = false
          given = rule.wake(at: time)
        case .ended:
          given = rule.end()
          inbox.finish()
        }
        if let given { output.yield(given) }
        guard let alarm = rule.alarm, !isAsleep else { continue }
        isAsleep = true
        group.addTask {
          // A sleep that was cancelled tells of it too early, but then no loop is left to hear it.
          try? await timeline.sleep(alarm)
          tell(.awake)
        }
      }
      group.cancelAll()
    }
  }
}

private enum TimedEvent<Element: Sendable>: Sendable {
  case element(Element)
  case awake
  case ended
}
