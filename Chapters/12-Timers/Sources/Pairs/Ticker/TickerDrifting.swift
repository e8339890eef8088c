import Dispatch

extension Drifting {
  /// Calls a block each interval: a block that has ended asks for the next one.
  // Sendable because `isStopped` is used on `queue` only.
  final class Ticker: @unchecked Sendable {
    private let interval: Duration
    private let queue: DispatchQueue
    private let tick: @Sendable () -> Void
    private var isStopped = false

    init(every interval: Duration, on queue: DispatchQueue, tick: @escaping @Sendable () -> Void) {
      self.interval = interval
      self.queue = queue
      self.tick = tick
    }

    func start() { queue.async { self.next() } }

    func stop() { queue.async { self.isStopped = true } }

    private func next() {
      guard !isStopped else { return }
      tick()
      queue.asyncAfter(deadline: .now() + interval.interval) { self.next() }
    }
  }

  /// The same as a loop: it works, and then it sleeps.
  static func ticks(
    every interval: Duration, on clock: any Clock<Duration>, tick: () async -> Void
  ) async {
    while !Task.isCancelled {
      await tick()
      try? await clock.sleep(for: interval)
    }
  }
}
