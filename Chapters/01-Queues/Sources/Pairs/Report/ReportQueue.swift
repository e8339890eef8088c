import Dispatch

extension Queued {
  // Sendable because `title` and `rows` are used on the main queue only.
  final class Report: @unchecked Sendable {
    private var title = "Report"
    private(set) var rows: [String] = []

    func rename(to title: String) { self.title = title }

    /// Call it on the main queue, which is free while the rows are made; `completion` comes back there.
    func refresh(completion: @escaping @Sendable () -> Void) {
      let title = title
      DispatchQueue.global().async {
        let rows = (1...3).map { "\(title) \($0)" }
        DispatchQueue.main.async {
          self.rows = rows
          completion()
        }
      }
    }
  }
}
