import Dispatch

extension Bridging {
  /// Its rows are async by now, and its callers are not. So somebody built a bridge.
  @MainActor final class Report {
    private var title = "Report"
    private(set) var rows: [String] = []

    func rename(to title: String) { self.title = title }

    /// Blocks the main actor, on which the task would begin, and `makeRows` read the title.
    func refresh() {
      let isDone = DispatchSemaphore(value: 0)
      Task {
        rows = await makeRows()
        isDone.signal()
      }
      isDone.wait()
    }

    @concurrent private func makeRows() async -> [String] {
      let title = await title
      return (1...3).map { "\(title) \($0)" }
    }
  }
}
