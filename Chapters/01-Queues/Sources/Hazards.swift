import Dispatch
import Foundation
import Synchronization
import Workbook

extension Hazard {
  static let wrongQueueRace = Hazard.task("queues/wrong-queue-race", isDataRace: true) { _ in
    let scoreboard = ScoreboardQueue(score: 5)
    let interruption = await interrupt(isUnguarded: true) { pause in
      scoreboard.add(10, afterReading: pause)
    } by: {
      scoreboard.reset()
    }
    return "\(interruption.rawValue), score \(scoreboard.score)"
  }

  static let syncOnOwnQueue = Hazard("queues/sync-on-own-queue") { transcript in
    let queue = DispatchQueue(label: "own")
    return queue.sync {
      transcript.aboutToBlock("queue.sync on the queue it runs on")
      return queue.sync { "returned" }
    }
  }

  static let mainFromMain = Hazard("queues/main-from-main") { transcript in
    transcript.aboutToBlock("DispatchQueue.main.sync on the main thread")
    return DispatchQueue.main.sync { "returned" }
  }

  static let mainWaits = Hazard("queues/main-waits") { transcript in
    let report = ReportQueue()
    return report.refresh(
      aboutToWait: { transcript.aboutToBlock("semaphore.wait() on the main thread") },
      aboutToSync: { transcript.aboutToBlock("DispatchQueue.main.sync on a global queue") })
  }

  /// No hazard; but if it hung, only a parent could tell.
  static let mainAwaits = Hazard.task("queues/main-awaits") { transcript in
    transcript.aboutToBlock("await on the main actor")
    return await Task { @MainActor in await ReportAsync().refresh() }.value
  }

  static let inheritedIsolation = Hazard.task("queues/inherited-isolation") { transcript in
    transcript.say("a closure written on the main actor goes to a global queue")
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        BannerQueue.prepareTrapping { continuation.resume() }
      }
    }
    return "ran"
  }

  /// No hazard; but if it trapped, only a parent could tell.
  static let sendableClosure = Hazard.task("queues/sendable-closure") { _ in
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        BannerQueue.prepare { continuation.resume() }
      }
    }
    return "ran"
  }

  static let runLoopMain = Hazard("queues/run-loop-main") { _ in
    let served = Mutex<String?>(nil)
    DispatchQueue.main.async {
      served.withLock { $0 = whoServesMainQueue() }
    }
    while true {
      _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
      if let thread = served.withLock(\.self) { return thread }
    }
  }

  static let asyncMain = Hazard.task("queues/async-main") { _ in
    await MainActor.run { whoServesMainQueue() }
  }
}

/// Which thread the caller, on the main queue, is on.
private func whoServesMainQueue() -> String {
  dispatchPrecondition(condition: .onQueue(.main))
  return Thread.isMainThread ? "main thread" : "another thread"
}
