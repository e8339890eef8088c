/// Keeps the task that makes a report from the first miss on; whoever misses it later awaits that.
actor ReportCacheActor {
  private var reports: [String: Task<String, Never>] = [:]
  private(set) var made = 0

  func report(for month: String) async -> String {
    if let report = reports[month] { return await report.value }
    made += 1
    let report = Task { await makeReport(for: month) }
    reports[month] = report
    return await report.value
  }
}
