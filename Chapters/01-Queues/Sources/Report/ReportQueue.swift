import Dispatch

// Sendable because `title` is read and written on the main queue only.
final class ReportQueue: @unchecked Sendable {
  private var title = "Report"

  /// Call it on the main thread. Each of the two waits is harmless alone: main waits for the rows,
  /// and the rows wait for main, which has the title.
  func refresh(
    aboutToWait: () -> Void = {}, aboutToSync: @escaping @Sendable () -> Void = {}
  ) -> String {
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      aboutToSync()
      let title = DispatchQueue.main.sync { self.title }
      precondition(!title.isEmpty)
      isDone.signal()
    }
    aboutToWait()
    isDone.wait()
    return "refreshed"
  }
}
