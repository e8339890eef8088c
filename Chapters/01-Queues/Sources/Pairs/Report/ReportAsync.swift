extension Awaited {
  /// The same two waits; but who awaits leaves the main actor free.
  @MainActor final class Report {
    private var title = "Report"
    private(set) var rows: [String] = []

    func rename(to title: String) { self.title = title }

    func refresh() async {
      rows = await makeRows()
    }

    @concurrent private func makeRows() async -> [String] {
      let title = await title
      return (1...3).map { "\(title) \($0)" }
    }
  }
}
