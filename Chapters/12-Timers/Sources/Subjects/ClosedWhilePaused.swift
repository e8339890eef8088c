import Workbook

extension Subject {
  static let closedWhilePaused = Subject(
    "closed-while-paused",
    asks: "The document is closed while its timer is paused. What becomes of the last change?",
    right: .allowed("written once"), .forbidden("not written"),
    implementations: [
      .before(
        "cancel, and wait for the cancel handler",
        .deadlock("a source that is suspended calls no handler"),
        .trap("behind a handler in flight it does, and then it is released suspended").onlyExplored
      ) { (stage: Stage) in
        let (document, disk) = (Document(), Disk())
        let saver = StillSuspended.Autosaver(document, every: .hour, write: disk.write)
        saver.pause()
        document.edit("a")
        stage.aboutToBlock("a wait for the cancel handler")
        saver.close()
        return disk.written
      }
      .code("AutosaverStillSuspended.swift", "func close()")
      .alwaysWrong
      .found("scenario waits for DispatchSemaphore of Autosaver"),
      .before(
        "let go of it", .trap("Dispatch wants a source to be resumed before it is released")
      ) { (stage: Stage) in
        let (document, disk) = (Document(), Disk())
        stage.aboutToBlock("a release of a source that is suspended")
        do {
          let saver = StillSuspended.Autosaver(document, every: .hour, write: disk.write)
          saver.pause()
          document.edit("a")
        }
        return disk.written
      }
      .code("AutosaverStillSuspended.swift", "func pause()")
      .notExplored("it traps in a deinit, which ThreadSanitizer does not survive"),
      .before("cancel, then resume") { (stage: Stage) in
        let (document, disk) = (Document(), Disk())
        let saver = try Sourced.Autosaver(document, every: .hour, write: disk.write) { _ in }
        saver.pause()
        document.edit("a")
        try saver.close()
        return disk.written
      }
      .code("TickerState.swift", "case .paused:"),
      .after("cancel a loop that waits") { _ in
        let (document, disk) = (Document(), Disk())
        let saver = Clocked.Autosaver(document, write: disk.writeLater) { _ in }
        let loop = Task { try await saver.run(every: .hour) }
        await saver.pause()
        document.edit("a")
        loop.cancel()
        try await loop.value
        return disk.written
      }
      .code("AutosaverClock.swift", "for await _ in resumed")
      .whereWorkTakesNoTime,
    ])
}
