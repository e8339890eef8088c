import Foundation

/// Calls an action, on a thread of its own, once all other threads of this process have slept for a while and
/// used no CPU time.
///
/// For a hazard that says itself what it stands still with. It needs `/proc`; elsewhere it never calls.
///
/// - Parameter action: What is called, once at most.
public func whenStill(_ action: @escaping @Sendable () -> Void) {
  Thread.detachNewThread {
    var stillness = Stillness(ignored: ThreadSample.currentThread)
    while !stillness.isReached(by: getpid()) { usleep(Stillness.pollInterval) }
    action()
  }
}

/// Tells a child that hangs from one that is slow.
///
/// A thread that waits for its turn on a busy machine is runnable, not asleep. So a child counts as
/// hung when, over several samples in a row, every thread sleeps and its CPU time stands still.
struct Stillness {
  private static let samplesNeeded = 8
  private static let interval = Duration.milliseconds(20)
  fileprivate static let pollInterval: UInt32 = 5_000

  /// A thread of that process that may be at work: the one that asks.
  private let ignored: String?
  private var last: Sample?
  private var lastTime: ContinuousClock.Instant?
  private var count = 0

  /// - Parameter ignored: A thread of the process that may be at work.
  init(ignored: String? = nil) { self.ignored = ignored }

  /// Takes a sample if it is time for one, and says whether the process is still for long enough.
  mutating func isReached(by process: pid_t) -> Bool {
    let now = ContinuousClock.now
    if let lastTime, now - lastTime < Self.interval { return false }
    lastTime = now
    let sample = Sample(process, ignoring: ignored)
    count = sample != nil && sample == last ? count + 1 : 0
    last = sample
    return count >= Self.samplesNeeded
  }

  /// The CPU time of each thread of a process whose threads all sleep.
  private struct Sample: Equatable {
    private var threads: [String: ThreadSample] = [:]

    /// Fails where a thread does not sleep, and on systems without `/proc`, where a child that
    /// hangs is known only by its time limit.
    init?(_ process: pid_t, ignoring ignored: String?) {
      let folder = "/proc/\(process)/task"
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
        return nil
      }
      for name in names where name != ignored {
        guard let sample = ThreadSample(process: "\(process)", thread: name), sample.isAsleep else {
          return nil
        }
        threads[name] = sample
      }
    }
  }
}
