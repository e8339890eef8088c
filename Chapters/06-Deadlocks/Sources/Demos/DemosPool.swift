import Dispatch
import Foundation
import Workbook

extension Demo {
  static let poolByPriority = Demo(
    "pool-by-priority",
    asks: "As many tasks of medium priority as there are cores wait. Does one more task run?",
    sides: [
      .hazard(
        .after, "a medium one", pool("medium", .medium),
        .surprising("hang", "the threads for medium tasks are all taken"), .forbidden("it runs")
      )
      .code("DemosPool.swift", "Task.detached(priority: .medium)"),
      .hazard(
        .after, "a high one", pool("high", .high),
        .allowed("it runs", "for high tasks there are as many threads again"), .forbidden("hang")
      )
      .code("DemosPool.swift", "Task.detached(priority: priority)"),
      .hazard(
        .after, "a background one", pool("background", .background),
        .allowed("it runs", "and as many for background tasks"), .forbidden("hang")
      )
      .code("DemosPool.swift", "Task.detached(priority: priority)"),
    ])
}

/// Blocks a task of medium priority for each core; then one of another priority lets them go on.
private func pool(_ name: String, _ priority: TaskPriority) -> Hazard {
  Hazard("deadlocks/pool-\(name)") { transcript in
    let width = ProcessInfo.processInfo.activeProcessorCount
    let (hasBegun, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let wait: @Sendable () -> Void = {
      hasBegun.signal()
      mayGoOn.wait()
    }
    for _ in 0..<width {
      Task.detached(priority: .medium) { wait() }
    }
    for _ in 0..<width { hasBegun.wait() }
    transcript.aboutToBlock("waiting for one more task")
    let hasRun = DispatchSemaphore(value: 0)
    Task.detached(priority: priority) {
      for _ in 0..<width { mayGoOn.signal() }
      hasRun.signal()
    }
    hasRun.wait()
    return "it runs"
  }
}
