import Foundation

/// What `/proc` says about a process or a thread.
package struct ProcessStat {
  /// `R` runs, `S` sleeps, `T` is stopped, `Z` has ended and waits for its parent.
  package let state: Character
  package let parent: pid_t
  /// CPU time so far, in clock ticks.
  package let ticks: Int

  /// Whether it computes, or waits for a processor or for memory that the system has to bring.
  package var isReady: Bool { state == "R" || state == "D" }

  /// Fails where there is no such file, and on systems without `/proc`.
  package init?(path: String) {
    // "id (name) state …": the name may hold spaces, so fields are counted from the last ")".
    guard let stat = try? String(contentsOfFile: path, encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return nil }
    let fields = stat[end...].split(separator: " ")
    guard fields.count > 13, let parent = pid_t(fields[2]), let user = Int(fields[12]),
      let system = Int(fields[13])
    else { return nil }
    state = fields[1].first!
    self.parent = parent
    ticks = user + system
  }

  package init?(of process: pid_t) {
    self.init(path: "/proc/\(process)/stat")
  }
}
