import CInterleaving
import Foundation
import Synchronization

/// Looks whether explorations get on, from a thread of its own: one that shared a pool would wait with those that block it.
final class Watchdog: Sendable {
  /// One exploration.
  private struct Watch {
    let pulse: Pulse
    let patience: Duration
    let giveUp: @Sendable () -> Void
    var beat: Int?
    /// When it was looked at, and what the step's thread had had by then.
    var last: (moment: ContinuousClock.Instant, thread: ThreadUse?)?
    /// How long the step under way has computed or waited; not how long it was ready without a processor.
    var duration = Duration.zero
    /// How often the thread was asked why its step does not come to its end.
    var questions = 0

    mutating func look(every pause: Duration) {
      let beat = pulse.beat
      guard let beat, beat == self.beat else {
        (self.beat, last, duration, questions) = (beat, nil, .zero, 0)
        return
      }
      // A step may wait for that, and the reader for a processor.
      guard !interleaving_is_reading() else {
        last = nil
        return
      }
      let now = (moment: ContinuousClock.now, thread: ThreadUse(of: pulse.thread))
      defer { last = now }
      guard let last else { return }
      // A busy machine lets this thread wait, too.
      let time = min(now.moment - last.moment, pause * 2)
      if let use = now.thread, let earlier = last.thread {
        duration += use.time(since: earlier, in: time)
      } else {
        duration += time
      }
      let isOverdue = duration > patience
      guard isOverdue || pulse.hurries && duration > patience / 10 else { return }
      pulse.ask(beat, isOverdue: isOverdue)
      // The thread itself knows what it does. One that is in a library for as long again does not answer.
      questions += 1
      let limit = pulse.isAnswered ? max(patience * 2, .seconds(60)) : patience * 2
      if !interleaving_ask_thread(pulse.thread) || duration > limit && questions > 20 {
        giveUp()
      }
    }
  }

  private static let shared = Watchdog()

  private let watches = Mutex<(last: Int, all: [Int: Watch])>((0, [:]))
  private let isAsked = DispatchSemaphore(value: 0)

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        isAsked.wait()
        while let pause = look() { usleep(pause) }
      }
    }
  }

  /// Watches an exploration, until it has ended.
  ///
  /// - Parameters:
  ///   - patience: How long a step may take.
  ///   - giveUp: What is done if nothing can be learned of a step that takes longer.
  /// - Returns: What ends the watch.
  static func watch(
    _ pulse: Pulse, _ patience: Duration, giveUp: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let watch = Watch(pulse: pulse, patience: patience, giveUp: giveUp)
    let (number, isFirst) = shared.watches.withLock { watches in
      watches.last += 1
      watches.all[watches.last] = watch
      return (watches.last, watches.all.count == 1)
    }
    if isFirst { shared.isAsked.signal() }
    return { shared.watches.withLock { _ = $0.all.removeValue(forKey: number) } }
  }

  /// Looks at all explorations once.
  ///
  /// - Returns: How long to wait before the next time, in microseconds; nil if there are none.
  private func look() -> UInt32? {
    let due = watches.withLock { watches in
      watches.all.isEmpty ? nil : Array(watches.all)
    }
    guard var due else { return nil }
    let pause = max(
      min(due.map { $0.value.patience / 40 }.min() ?? .zero, .milliseconds(100)), .milliseconds(1))
    for index in due.indices { due[index].value.look(every: pause) }
    watches.withLock { watches in
      for (number, watch) in due where watches.all[number] != nil { watches.all[number] = watch }
    }
    return UInt32(pause / .microseconds(1))
  }
}
