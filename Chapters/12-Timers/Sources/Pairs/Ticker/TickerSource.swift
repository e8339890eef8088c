import Dispatch
import Synchronization

extension Sourced {
  /// Calls a block on a queue: when it is started, and then each interval until it is stopped.
  // Sendable because `timer` is used under the lock of `state` only.
  final class Ticker: @unchecked Sendable {
    enum TimeBase: Sendable { case monotonic, wall }

    private let timer: any DispatchSourceTimer
    private let schedule: @Sendable (any DispatchSourceTimer) -> Void
    private let state = Mutex(TickerState())

    /// - Parameters:
    ///   - leeway: How late a tick may be; half an interval at most. Zero is a wish, and no promise.
    ///   - tick: It is told how many ticks before it were missed. If it names the ticker, it keeps it until `stop()`.
    ///   - stopped: Called once, behind the last tick.
    init(
      every interval: Duration, leeway: Duration = .zero, by base: TimeBase = .monotonic,
      on queue: DispatchQueue, stopped: @escaping @Sendable () -> Void = {},
      tick: @escaping @Sendable (_ missed: Int) -> Void
    ) throws(TimingError) {
      let interval = try interval.checked(as: .interval).interval
      let leeway = try leeway.checked(as: .leeway).interval
      schedule = { timer in
        switch base {
        case .monotonic: timer.schedule(deadline: .now(), repeating: interval, leeway: leeway)
        case .wall: timer.schedule(wallDeadline: .now(), repeating: interval, leeway: leeway)
        }
      }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      // The timer keeps its handler, and this handler the timer, until that is cancelled: by `deinit` at the latest.
      timer.setEventHandler { tick(Int(timer.data) - 1) }
      timer.setCancelHandler(handler: stopped)
      self.timer = timer
    }

    deinit { stop() }

    /// Ticks are counted from here.
    func start() {
      change { state in
        let orders = state.start()
        if !orders.isEmpty { schedule(timer) }
        return orders
      }
    }

    /// A tick that has begun goes on.
    func pause() { change { $0.pause() } }

    /// Ticks at once if ticks were missed in the pause.
    func resume() { change { $0.resume() } }

    func stop() { change { $0.stop() } }

    private func change(_ change: (inout TickerState) -> [TickerState.Order]) {
      state.withLock { state in
        for order in change(&state) {
          switch order {
          case .activate: timer.activate()
          case .suspend: timer.suspend()
          case .resume: timer.resume()
          case .cancel: timer.cancel()
          }
        }
      }
    }
  }
}
