import Dispatch
import Foundation
import Synchronization
import Workbook

extension Hazard {
  static let inheritedIsolation = Hazard.task("queues/inherited-isolation") { transcript in
    transcript.say("a closure written on the main actor goes to a global queue")
    return await withCheckedContinuation { continuation in
      Task { @MainActor in
        Queued.Banner.prepareTrapping(.twoFaces) { continuation.resume(returning: "\($0) faces") }
      }
    }
  }

  /// No hazard; but if it trapped, only a parent could tell.
  static let sendableClosure = Hazard.task("queues/sendable-closure") { _ in
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        Queued.Banner.prepare(.twoFaces) { continuation.resume(returning: "\($0) faces") }
      }
    }
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
