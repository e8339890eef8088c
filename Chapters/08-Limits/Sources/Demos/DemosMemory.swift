import Foundation
import Workbook

extension Demo {
  static let childrenAdded = Demo(
    "children-added",
    asks: "200,000 photos, a child task each. What does it take in memory to add them all?",
    sides: [
      .hazard(
        .after, "all added, against a bounded group and four workers", added,
        .surprising(
          "at least 5 times the memory", "a child that waits for its turn is there already"),
        .allowed("the peak is not told here"), .forbidden("less than 5 times the memory")
      )
      .code("DemosMemory.swift", "for number in 0..<children { group.addTask")
    ])
}

private let children = 200_000

/// The two that are bounded come first, because a peak stays.
private let added = Hazard.task("limits/children-added") { transcript in
  guard let idle = peak() else { return "the peak is not told here" }
  await withTaskGroup(of: Int.self) { group in
    for worker in 0..<4 {
      group.addTask {
        stride(from: worker, to: children, by: 4).reduce(0) { $0 + thumbnail($1).count }
      }
    }
    for await _ in group {}
  }
  let workers = peak() ?? 0
  await withTaskGroup(of: [UInt8].self) { group in
    for number in 0..<children {
      if number >= 4 { _ = await group.next() }
      group.addTask { thumbnail(number) }
    }
    for await _ in group {}
  }
  let bounded = peak() ?? 0
  await withTaskGroup(of: [UInt8].self) { group in
    for number in 0..<children { group.addTask { thumbnail(number) } }
    for await _ in group {}
  }
  let all = peak() ?? 0
  for (name, size) in [
    ("idle", idle), ("four workers", workers), ("bounded", bounded), ("all added", all),
  ] {
    transcript.say("\(name): \(size / 1_024) MB at most")
  }
  return all >= 5 * bounded ? "at least 5 times the memory" : "less than 5 times the memory"
}

private func thumbnail(_ number: Int) -> [UInt8] {
  [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_024)
}

/// The most memory that the process has had, in kB; nil where the system does not tell.
private func peak() -> Int? {
  let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  return status?.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }
}
