extension Isolated {
  /// Keeps the task that makes a report from the first miss on; a caller that misses it later awaits that, and one that is
  /// cancelled leaves it to the others.
  actor ReportCache {
    private var reports: [String: Task<String, Never>] = [:]

    func report(
      for month: String, making make: @escaping @Sendable () async -> String
    ) async -> String {
      if let report = reports[month] { return await report.value }
      let report = Task { await make() }
      reports[month] = report
      return await report.value
    }
  }
}
