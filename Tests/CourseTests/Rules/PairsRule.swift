import Foundation

/// A pair carries its mechanism in the names of its files: `CounterLock.swift`,
/// `CounterActor.swift`. The chapter has one at least, and no old file is without its port.
func brokenPairs(of chapter: ChapterFolder) -> [String] {
  let before = [
    "ConcurrentQueue", "SerialQueue", "TargetQueue", "Queue", "WorkItem", "Lock", "Semaphore",
    "Group", "Barrier", "Operation", "Thread", "RunLoop", "Source", "Callback", "Unsynchronised",
    "Plain", "TwoLocks",
  ]
  let after = [
    "Async", "Actor", "Mutex", "TwoAtomics", "Atomic", "TaskGroup", "TaskLocal", "Task", "Stream",
    "Clock", "StaticLet",
  ]
  let mechanisms = (before + after).sorted { $0.count > $1.count }
  var old: Set<String> = []
  var ports: Set<String> = []
  for file in pairFiles(of: chapter) {
    let name = file.deletingPathExtension().lastPathComponent
    guard let mechanism = mechanisms.first(where: { name.hasSuffix($0) }) else { continue }
    let subject = String(name.dropLast(mechanism.count))
    if before.contains(mechanism) { old.insert(subject) } else { ports.insert(subject) }
  }
  if old.isDisjoint(with: ports) {
    return ["there is no pair: one file with an old mechanism in its name, one with its port's"]
  }
  return old.subtracting(ports).sorted().map { "\($0) has an old side and no port" }
}

/// A pair imports the toolchain's own modules and nothing of the workbook, but for what makes it fit to be
/// explored: the stand-ins in a file that is compiled twice, and `Shared` in a hazard.
func foreignImports(in chapter: ChapterFolder) -> [String] {
  let own: Set = ["Dispatch", "Foundation", "Synchronization"]
  let twins = Set(chapter.twinFiles.map(\.path))
  return pairFiles(of: chapter).flatMap { file -> [String] in
    let name = file.lastPathComponent
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let isTwin = twins.contains(file.resolvingSymlinksInPath().path)
    let isHazard = file.deletingLastPathComponent().lastPathComponent == "Hazards"
    let allowed = own.union(isTwin ? ["ControlledDispatch"] : [])
      .union(isTwin && isHazard ? ["Interleaving"] : [])
    return importedModules(in: text).filter { !allowed.contains($0) }
      .map { "\(name) imports \($0); a pair imports only \(own.sorted().joined(separator: ", "))" }
  }
}

/// The modules that a text imports, whole or by a scoped import.
func importedModules(in text: some StringProtocol) -> [String] {
  String(text).matches(
    of: /(?m)^\s*(?:@\w+ )*import (?:(?:struct|class|enum|protocol|typealias|func|let|var) )?(\w+)/
  ).map { String($0.1) }
}

/// The chapter's sources without those that drive them: demos, hazards, schedules and scenarios.
private func pairFiles(of chapter: ChapterFolder) -> [URL] {
  chapter.swiftFiles(in: "Sources").filter { file in
    let name = file.lastPathComponent
    return !name.hasPrefix("Demos") && !name.hasPrefix("Scenarios")
      && !name.hasPrefix("Schedules") && name != "Hazards.swift" && name != "Chapter.swift"
      && !file.path.contains("/Subjects/")
  }
}
