import Dispatch

/// A report whose title belongs to the main queue and whose rows are computed elsewhere.
struct ReportQueue {
  /// Call it on the main thread. Each of the two waits is harmless alone: the main thread waits for
  /// the rows, and the rows wait for the main queue.
  func refresh(
    aboutToWait: @escaping @Sendable () -> Void, aboutToSync: @escaping @Sendable () -> Void
  ) -> String {
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      aboutToSync()
      let title = DispatchQueue.main.sync { "Report" }
      precondition(!title.isEmpty)
      isDone.signal()
    }
    aboutToWait()
    isDone.wait()
    return "refreshed"
  }
}
