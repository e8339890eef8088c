/// Makes a report on a miss; while it is made, others miss it too.
actor ReportCacheReentrantActor {
  private var reports: [String: String] = [:]
  private(set) var made = 0

  func report(for month: String) async -> String {
    if let report = reports[month] { return report }
    made += 1
    let report = await makeReport(for: month)
    reports[month] = report
    return report
  }
}

/// Stands for what takes long: a query, a download.
func makeReport(for month: String) async -> String {
  await Task.yield()
  return "report for \(month)"
}
