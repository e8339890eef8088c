import Dispatch
import Workbook

extension Subject {
  static let cancelOrFire = Subject(
    "cancel-or-fire",
    asks: "The timer has fired, and the document is closed. How often is its change written?",
    right: .allowed("written once"),
    implementations: [
      .before(
        "cancel, then save on the caller's thread",
        .surprising("written 2 times", "a handler that runs goes on behind cancel()"),
        .allowed("written once", "the handler had ended, or had not begun").onlyExplored
      ) { stage in
        let disk = Disk(isHeldUp: !stage.isExplored)
        let saver = CancelOnly.Autosaver(Document("a"), every: .hour, write: disk.write)
        disk.waitForWrite()
        try saver.close()
        defer { disk.goOn() }
        return disk.written
      }
      .code("AutosaverCancelOnly.swift", "func close() throws"),
      .before("cancel, then save on the timer's queue") { stage in
        let disk = Disk(isHeldUp: !stage.isExplored)
        let saver = try Sourced.Autosaver(Document("a"), every: .hour, write: disk.write) { _ in }
        disk.waitForWrite()
        // Closing waits for the write.
        if !stage.isExplored { DispatchQueue.global().async { disk.goOn() } }
        try saver.close()
        return disk.written
      }
      .code("AutosaverSource.swift", "ticker.stop()"),
      .after(
        "cancel the loop, then save",
        .surprising("written 2 times", "the loop is in the middle of its write"),
        .allowed("written once", "the loop had ended, or had not begun").onlyExplored
      ) { stage in
        let disk = Disk(isHeldUp: !stage.isExplored)
        let saver = CancelOnly.AsyncAutosaver(Document("a"), write: disk.writeLater)
        await saver.start(every: .hour, on: VirtualClock())
        await disk.waitForWrite()
        try await saver.close()
        defer { disk.goOn() }
        return disk.written
      }
      .code("AutosaverCancelOnly.swift", "loop?.cancel()"),
      .after("cancel the loop, and await it") { stage in
        let disk = Disk(isHeldUp: !stage.isExplored)
        let saver = Clocked.Autosaver(Document("a"), write: disk.writeLater) { _ in }
        let loop = Task { try await saver.run(every: .hour, on: VirtualClock()) }
        await disk.waitForWrite()
        loop.cancel()
        disk.goOn()
        try await loop.value
        return disk.written
      }
      .code("AutosaverClock.swift", "do { try await save() }"),
    ])
}
