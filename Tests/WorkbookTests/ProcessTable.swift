import Foundation

/// What `/proc` says about processes that are not this one's own children.
enum ProcessTable {
  /// Whether a process is there and has not ended: a zombie has, and waits for its parent.
  static func isAlive(_ process: pid_t) -> Bool {
    fields(of: process).map { $0[0] != "Z" } ?? false
  }

  /// A child of a process, if it has one.
  static func child(of parent: pid_t) -> pid_t? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.lazy.compactMap { pid_t($0) }.first { fields(of: $0)?[1] == "\(parent)" }
  }

  /// Waits until a process has ended; `false` if it does not.
  static func isGone(_ process: pid_t) async -> Bool {
    await inTime { !isAlive(process) }
  }

  /// Waits until a process that was sent SIGSTOP has stopped; `false` if it does not.
  static func isStopped(_ process: pid_t) async -> Bool {
    await inTime { fields(of: process)?[0] == "T" || !isAlive(process) }
  }

  private static func inTime(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
      if condition() { return true }
      await Task.yield()
    }
    return false
  }

  /// The fields of a process's `stat` after its name: state, parent, …
  private static func fields(of process: pid_t) -> [Substring]? {
    guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return nil }
    return Array(stat[end...].split(separator: " ").dropFirst())
  }
}
