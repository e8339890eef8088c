/// The same two waits; but who awaits leaves the main actor free.
@MainActor
final class ReportAsync {
  private var title = "Report"

  func refresh() async -> String {
    await computeRows()
    return "refreshed"
  }

  @concurrent
  private nonisolated func computeRows() async {
    let title = await title
    precondition(!title.isEmpty)
  }
}
