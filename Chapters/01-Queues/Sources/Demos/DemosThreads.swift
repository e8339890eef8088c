import Dispatch
import Foundation
import Workbook

extension Demo {
  static let threadsByPriority = Demo(
    "threads-by-priority",
    asks: "What does a quality of service, or a task priority, change about the thread?",
    sides: [
      .before(
        "global queues", .allowed("background nicer than default"), .forbidden("all alike")
      ) { transcript in
        var values: [Int32] = []
        for quality in [DispatchQoS.QoSClass.background, .utility, .default] {
          values.append(
            await withCheckedContinuation { continuation in
              DispatchQueue.global(qos: quality).async {
                continuation.resume(returning: threadNiceness())
              }
            })
        }
        return compare(values, transcript)
      }
      .code("DemosThreads.swift", "DispatchQueue.global(qos: quality)"),
      .after(
        "tasks of the matching priorities", .allowed("background nicer than default"),
        .forbidden("all alike")
      ) { transcript in
        var values: [Int32] = []
        for priority in [TaskPriority.background, .low, .medium] {
          // Not awaited through its value: that would raise its priority to the waiter's.
          values.append(
            await withCheckedContinuation { continuation in
              Task.detached(priority: priority) {
                continuation.resume(returning: threadNiceness())
              }
            })
        }
        return compare(values, transcript)
      }
      .code("DemosThreads.swift", "Task.detached(priority: priority)"),
    ])
}

/// - Parameter niceness: Of a background, a utility and a default thread.
private func compare(_ niceness: [Int32], _ transcript: Transcript) -> String {
  transcript.say("background \(niceness[0]), utility \(niceness[1]), default \(niceness[2])")
  return niceness[0] > niceness[2] ? "background nicer than default" : "all alike"
}

/// How nice the calling thread is: on Linux each thread has a value of its own, −20 to 19.
private func threadNiceness() -> Int32 {
  #if canImport(Darwin)
    -Int32(qos_class_self().rawValue)  // untested: the quality of service stands for it there
  #else
    getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
  #endif
}
