import Foundation
import Interleaving

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

  /// What stays the same as long as a thread of this process sleeps without a break: how often it was switched out.
  static func switches(of thread: String) -> Substring? {
    let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
    return status.flatMap { status in
      status.range(of: "voluntary_ctxt_switches").map { status[$0.lowerBound...] }
    }
  }

  /// The calling thread, as ``init(process:thread:)`` names it; `nil` on systems without `/proc`.
  static var currentThread: String? {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link?.split(separator: "/").last.map(String.init)
  }
}
