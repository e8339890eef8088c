import Foundation
import Interleaving

/// What `/proc` says about all processes.
enum ProcessTable {
  /// The processes that a process has begun, and those that these have begun, and so on, that have
  /// not ended.
  static func descendants(of ancestor: pid_t) -> [pid_t] {
    let all = stats()
    let children = Dictionary(grouping: all.keys) { all[$0]!.parent }
    var found: [pid_t] = []
    var next = [ancestor]
    while let process = next.popLast() {
      let begun = children[process] ?? []
      found += begun
      next += begun
    }
    return found.filter { all[$0]!.state != "Z" }
  }

  private static func stats() -> [pid_t: ProcessStat] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let processes = names.compactMap { pid_t($0) }
    return Dictionary(
      uniqueKeysWithValues: processes.compactMap { process in
        ProcessStat(of: process).map { (process, $0) }
      })
  }

  /// What each thread of a process does; none where there is no `/proc`.
  static func threads(of process: pid_t) -> [ThreadSample] {
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
    return names.compactMap { ThreadSample(process: "\(process)", thread: $0) }
  }

  /// How long processors have worked for some processes, in seconds.
  static func processorTime(of processes: [pid_t]) -> Double {
    let ticks = processes.compactMap { ProcessStat(of: $0)?.ticks }.reduce(0, +)
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// How much memory some processes have in use, in bytes.
  static func memory(of processes: [pid_t]) -> Int {
    // Without the pages of files: of a hundred shells the program is there once.
    let kinds: Set<Substring> = ["RssAnon:", "RssShmem:"]
    let kilobytes = processes.map { process in
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      return (status ?? "").split(separator: "\n").reduce(0) { sum, line in
        let words = line.split(whereSeparator: \.isWhitespace)
        return words.count > 1 && kinds.contains(words[0]) ? sum + (Int(words[1]) ?? 0) : sum
      }
    }
    return kilobytes.reduce(0, +) << 10
  }
}
