import Foundation

/// A pair carries its mechanism in the names of its files: `CounterLock.swift`,
/// `CounterActor.swift`. The chapter has one at least, and no old file is without its port.
func brokenPairs(of chapter: ChapterFolder) -> [String] {
  let before = [
    "ConcurrentQueue", "SerialQueue", "TargetQueue", "Queue", "WorkItem", "Lock", "Semaphore",
    "Group", "Barrier", "Operation", "Thread", "RunLoop", "Source", "Callback", "Unsynchronised",
  ]
  let after = [
    "Async", "Actor", "Mutex", "TwoAtomics", "Atomic", "TaskGroup", "TaskLocal", "Task", "Stream",
    "Clock", "StaticLet",
  ]
  let names = chapter.swiftFiles(in: "Sources").map { $0.deletingPathExtension().lastPathComponent }
  let subjects = { (mechanisms: [String]) in
    Set(
      names.compactMap { name in
        mechanisms.first { name.hasSuffix($0) && name != $0 }
          .map { String(name.dropLast($0.count)) }
      })
  }
  let old = subjects(before)
  let ports = subjects(after)
  if old.isDisjoint(with: ports) {
    return ["there is no pair: one file with an old mechanism in its name, one with its port's"]
  }
  return old.subtracting(ports).sorted().map { "\($0) has an old side and no port" }
}

/// A pair imports the toolchain's own modules and nothing of the workbook.
func foreignImports(in chapter: ChapterFolder) -> [String] {
  let own: Set = ["Dispatch", "Foundation", "Synchronization"]
  return chapter.swiftFiles(in: "Sources").flatMap { file -> [String] in
    let name = file.lastPathComponent
    if name.hasPrefix("Demos") || name == "Hazards.swift" { return [] }
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.matches(of: /(?m)^\s*(?:@\w+ )?import (\w+)/).map { String($0.1) }
      .filter { !own.contains($0) }
      .map { "\(name) imports \($0); a pair imports only \(own.sorted().joined(separator: ", "))" }
  }
}
