import Dispatch
import Workbook

extension Subject {
  static let mainWaits = Subject(
    "main-waits",
    asks: "The main thread waits for work that in turn needs the main queue. What happens?",
    right: .allowed("3 rows"), .forbidden("0 rows"),
    implementations: [
      .before(
        "semaphore on main, main.sync elsewhere",
        .deadlock("each waits for the other, and Dispatch does not notice")
      ) { stage in
        let report = Waiting.Report()
        return await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            stage.aboutToBlock("semaphore.wait() on the main queue")
            report.refresh()
            continuation.resume(returning: "\(report.rows.count) rows")
          }
        }
      }
      .code("ReportWaitingOnMain.swift", "DispatchQueue.main.sync")
      .alwaysWrong
      .found(
        "scenario waits for a continuation; main 1 waits for DispatchSemaphore in refresh; global 1 "
          + "waits for queue main, held by main 1"),
      .before("main.async for the way back") { _ in
        let report = Queued.Report()
        return await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            report.refresh { continuation.resume(returning: "\(report.rows.count) rows") }
          }
        }
      }
      .code("ReportQueue.swift", "DispatchQueue.main.async"),
      .after(
        "semaphore around a task",
        .deadlock("main waits for a task, which needs main to begin")
      ) { stage in
        await MainActor.run {
          let report = Bridging.Report()
          stage.aboutToBlock("semaphore.wait() on the main actor")
          report.refresh()
          return "\(report.rows.count) rows"
        }
      }
      .code("ReportBridging.swift", "Task {")
      .alwaysWrong
      .found("scenario waits for DispatchSemaphore in refresh; task 1 waits for something unknown"),
      .after(
        "await on both sides",
        .allowed("3 rows", "an await leaves the main actor free")
      ) { _ in
        await Task { @MainActor in
          let report = Awaited.Report()
          await report.refresh()
          return "\(report.rows.count) rows"
        }.value
      }
      .code("ReportAsync.swift", "func makeRows"),
    ])
}
