import Dispatch
import Workbook

extension Subject {
  static let mainFromMain = Subject(
    "main-from-main",
    asks:
      "Code on the main queue adds to the badge, which belongs to the main queue. What happens?",
    right: .allowed("badge 1"), .forbidden("badge 0"),
    implementations: [
      .before("main.sync", .trap("sync on the queue it runs on")) { stage in
        let badge = QueuedInside.Badge()
        stage.aboutToBlock("main.sync on the main queue")
        // What goes wrong begins on the main thread.
        guard stage.isExplored else { return "badge \(badge.add(1))" }
        return waiting { done in
          DispatchQueue.main.async { done("badge \(badge.add(1))") }
        }
      }
      .code("BadgeSyncToMain.swift", "DispatchQueue.main.sync")
      .alwaysWrong
      .watched("deadlock, confirmed: main", "before Dispatch traps"),
      .before("main.async and a callback") { _ in
        let badge = Queued.Badge()
        return waiting { done in
          DispatchQueue.main.async { badge.add(1) { done("badge \($0)") } }
        }
      }
      .code("BadgeCallback.swift", "DispatchQueue.main.async"),
      .after("main actor", .allowed("badge 1", "a plain call")) { _ in
        await MainActor.run { "badge \(Isolated.Badge().add(1))" }
      }
      .code("BadgeAsync.swift", "func add"),
    ])
}
