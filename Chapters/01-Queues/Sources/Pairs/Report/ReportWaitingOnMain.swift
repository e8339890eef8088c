import Dispatch

extension Waiting {
  // Sendable because `title` and `rows` are used on the main queue, and `rows` elsewhere only while that waits.
  final class Report: @unchecked Sendable {
    private var title = "Report"
    private(set) var rows: [String] = []

    func rename(to title: String) { self.title = title }

    /// Call it on the main queue. Each of the two waits is harmless alone: main waits for the rows, and the rows wait
    /// for main, which has the title.
    func refresh() {
      let isDone = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        let title = DispatchQueue.main.sync { self.title }
        self.rows = (1...3).map { "\(title) \($0)" }
        isDone.signal()
      }
      isDone.wait()
    }
  }
}
