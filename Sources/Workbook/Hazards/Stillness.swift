import Foundation

/// Tells a child that hangs from one that is slow.
///
/// A thread that waits for its turn on a busy machine is runnable, not asleep. So a child counts as
/// hung when, over several samples in a row, every thread sleeps and its CPU time stands still.
struct Stillness {
  private static let samplesNeeded = 8
  private static let interval = Duration.milliseconds(20)

  private var last: Sample?
  private var lastTime: ContinuousClock.Instant?
  private var count = 0

  /// Takes a sample if it is time for one, and says whether the process is still for long enough.
  mutating func isReached(by process: pid_t) -> Bool {
    let now = ContinuousClock.now
    if let lastTime, now - lastTime < Self.interval { return false }
    lastTime = now
    let sample = Sample(process)
    count = sample != nil && sample == last ? count + 1 : 0
    last = sample
    return count >= Self.samplesNeeded
  }

  /// The CPU time of each thread of a process whose threads all sleep.
  private struct Sample: Equatable {
    private var ticks: [String: Int] = [:]

    /// Fails where a thread does not sleep, and on systems without `/proc`, where a child that
    /// hangs is known only by its time limit.
    init?(_ process: pid_t) {
      let folder = "/proc/\(process)/task"
      guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
        return nil
      }
      for thread in threads {
        // "id (name) state …": the name may hold spaces, so fields are counted from the last ")".
        guard let stat = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8),
          let end = stat.lastIndex(of: ")")
        else { return nil }
        let fields = stat[end...].split(separator: " ")
        guard fields[1] == "S", let user = Int(fields[12]), let system = Int(fields[13]) else {
          return nil
        }
        ticks[thread] = user + system
      }
    }
  }
}
