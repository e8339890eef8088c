import Foundation

/// Tells an answer that waits for ever from one that gets no turn on a busy machine.
///
/// It stands still when, for some seconds, its processes have used next to no processor time, though they did not wait for
/// a processor most of that time. A thread of the explorer that looks around now and then is allowed for.
struct Standstill {
  private struct Sample {
    let time: ContinuousClock.Instant
    let ticks: Int
    let isAwake: Bool
  }

  private let duration: Duration
  private var samples: [Sample] = []

  /// - Parameter duration: For how long nothing has to move.
  init(lasting duration: Duration) { self.duration = duration }

  /// Takes a sample, and says whether the processes stand still.
  mutating func isReached(by processes: [pid_t]) -> Bool {
    let threads = processes.flatMap(ProcessTable.threads)
    // Without /proc only the limits on time are left.
    guard !threads.isEmpty else { return false }
    let now = ContinuousClock.now
    samples.append(
      Sample(
        time: now, ticks: threads.reduce(0) { $0 + $1.ticks },
        isAwake: threads.contains { !$0.isAsleep }))
    guard let start = samples.lastIndex(where: { now - $0.time >= duration }) else { return false }
    samples.removeFirst(start)
    return abs(samples.last!.ticks - samples[0].ticks) <= 2
      && 2 * samples.count(where: \.isAwake) < samples.count
  }
}
