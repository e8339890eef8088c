import Foundation

/// A pair carries its mechanism in the names of its files: `CounterLock.swift`,
/// `CounterActor.swift`. The chapter has one at least, and no old file is without its port.
func brokenPairs(of chapter: ChapterFolder) -> [String] {
  var complaints = unknownEndings(in: chapter)
  var old: Set<String> = []
  var ports: Set<String> = []
  for file in pairFiles(of: chapter) {
    let name = file.deletingPathExtension().lastPathComponent
    guard let mechanism = mechanism(of: name) else { continue }
    // Ports stand on sources, too: one that is in no namespace belongs to both sides.
    if mechanism == "Source", !isInNamespace(file) { continue }
    let subject = String(name.dropLast(mechanism.count))
    if oldMechanisms.contains(mechanism) { old.insert(subject) } else { ports.insert(subject) }
  }
  if old.isDisjoint(with: ports) {
    complaints.append(
      "there is no pair: one file with an old mechanism in its name, such as CounterLock.swift, and one with its "
        + "port's, such as CounterActor.swift")
  }
  return complaints
    + old.subtracting(ports).sorted().map {
      "\($0) has an old side and no port: add \($0)Actor.swift, say"
    }
}

private let oldMechanisms = [
  "ConcurrentQueue", "SerialQueue", "TargetQueue", "Queue", "WorkItem", "Lock", "Semaphore",
  "Group", "Barrier", "AdapterOperation", "Operation", "Thread", "RunLoop", "Source", "Callback",
  "Blocking", "DispatchIO", "Future", "Delegate", "Unsynchronised",
  "Plain", "TwoLocks", "TwoQueues", "ConcurrentPerform", "Condition", "FairCondition",
  "SyncBarrier", "PosixLock",
]
private let newMechanisms = [
  "Async", "Actor", "Mutex", "TwoAtomics", "Atomic", "TaskGroup", "TaskLocal", "Task", "Stream",
  "Clock", "StaticLet", "Snapshot",
]

/// The mechanism on which the name of a file ends: the longest that fits.
private func mechanism(of name: String) -> String? {
  (oldMechanisms + newMechanisms).filter(name.hasSuffix).max { $0.count < $1.count }
}

private func isInNamespace(_ file: URL) -> Bool {
  let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  return text.contains(/(?m)^extension \w+ \{$/)
}

/// A file whose type is in a namespace of `Mechanisms.swift` ends on a mechanism, unless that namespace is of what goes
/// wrong: then it says what goes wrong.
private func unknownEndings(in chapter: ChapterFolder) -> [String] {
  let file = chapter.folder.appending(path: "Sources/Pairs/Mechanisms.swift")
  let mechanisms = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  let right = mechanisms.prefix(
    upTo: mechanisms.firstRange(of: "// MARK: What goes wrong")?.lowerBound ?? mechanisms.endIndex)
  let namespaces = Set(right.matches(of: /(?m)^enum (\w+) \{/).map { String($0.1) })
  return pairFiles(of: chapter).compactMap { file in
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    guard mechanism(of: file.deletingPathExtension().lastPathComponent) == nil,
      let namespace = text.matches(of: /(?m)^extension (\w+) \{/).map({ String($0.1) })
        .first(where: namespaces.contains)
    else { return nil }
    return
      "\(file.lastPathComponent) ends on no mechanism (Lock, SerialQueue, Actor, …): call it by one, add the word to "
      + "PairsRule.swift, or move \(namespace) below “// MARK: What goes wrong” in Mechanisms.swift"
  }
}

/// A pair imports the toolchain's own modules, for system calls CLinux, and nothing else of the workbook.
func foreignImports(in chapter: ChapterFolder) -> [String] {
  let own = [
    "CLinux", "Dispatch", "Foundation", "FoundationNetworking", "Observation", "Synchronization",
  ]
  return pairFiles(of: chapter).flatMap { file -> [String] in
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return importedModules(in: text).filter { !own.contains($0) }.map {
      "\(file.lastPathComponent) imports \($0): leave it out; a pair imports only "
        + own.joined(separator: ", ")
    }
  }
}

/// The modules that a text imports, whole or by a scoped import.
func importedModules(in text: some StringProtocol) -> [String] {
  String(text).matches(
    of: /(?m)^\s*(?:@\w+ )*import (?:(?:struct|class|enum|protocol|typealias|func|let|var) )?(\w+)/
  ).map { String($0.1) }
}

/// What the chapter teaches.
private func pairFiles(of chapter: ChapterFolder) -> [URL] {
  chapter.swiftFiles(in: "Sources/Pairs")
}
