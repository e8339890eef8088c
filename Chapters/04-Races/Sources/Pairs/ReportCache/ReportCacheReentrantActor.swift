extension Reentrant {
  /// Makes a report on a miss; while it is made, others miss it too.
  actor ReportCache {
    private var reports: [String: String] = [:]

    func report(
      for month: String, making make: @Sendable () async -> String
    ) async -> String {
      if let report = reports[month] { return report }
      let report = await make()
      reports[month] = report
      return report
    }
  }
}
