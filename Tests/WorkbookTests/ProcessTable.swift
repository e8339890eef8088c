import Foundation

/// What `/proc` says about processes that are not this one's own children.
enum ProcessTable {
  private static let patience = Duration.seconds(60)

  /// Waits until a process has ended; `false` if it does not. A zombie has ended: its new parent
  /// reaps it when it likes.
  static func isGone(_ process: pid_t) async -> Bool {
    await inTime { fields(of: process).map { $0[0] == "Z" } ?? true }
  }

  /// Waits until a process has a child, and returns it.
  static func child(of parent: pid_t) async -> pid_t? {
    var child: pid_t?
    _ = await inTime {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      child = names.lazy.compactMap { pid_t($0) }.first { fields(of: $0)?[1] == "\(parent)" }
      return child != nil
    }
    return child
  }

  private static func inTime(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + patience
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
