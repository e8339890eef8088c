import Foundation

/// What `/proc` says about a thread: whether it sleeps, and how much CPU time it has used.
struct ThreadSample: Equatable {
  let isAsleep: Bool
  /// CPU time so far, in clock ticks.
  let ticks: Int

  /// Fails where there is no such thread, and on systems without `/proc`.
  init?(process: String = "self", thread: String) {
    guard let stat = ProcessStat(path: "/proc/\(process)/task/\(thread)/stat") else { return nil }
    isAsleep = stat.state == "S"
    ticks = stat.ticks
  }

  /// The calling thread, as ``init(process:thread:)`` names it; `nil` on systems without `/proc`.
  static var currentThread: String? {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link?.split(separator: "/").last.map(String.init)
  }
}
