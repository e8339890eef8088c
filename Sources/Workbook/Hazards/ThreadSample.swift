import Foundation

/// What `/proc` says about a thread: whether it sleeps, and how much CPU time it has used.
struct ThreadSample: Equatable {
  let isAsleep: Bool
  /// CPU time so far, in clock ticks.
  let ticks: Int

  /// Fails where there is no such thread, and on systems without `/proc`.
  init?(process: String = "self", thread: String) {
    // "id (name) state …": the name may hold spaces, so fields are counted from the last ")".
    let path = "/proc/\(process)/task/\(thread)/stat"
    guard let stat = try? String(contentsOfFile: path, encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[end...].split(separator: " ")
    guard let user = Int(fields[12]), let system = Int(fields[13]) else { return nil }
    isAsleep = fields[1] == "S"
    ticks = user + system
  }

  /// The calling thread, as ``init(process:thread:)`` names it; `nil` on systems without `/proc`.
  static var currentThread: String? {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link?.split(separator: "/").last.map(String.init)
  }
}
