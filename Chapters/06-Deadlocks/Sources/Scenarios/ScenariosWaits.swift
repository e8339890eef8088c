import DeadlocksExplored
import Interleaving
import Workbook

import class ControlledDispatch.DispatchQueue
import enum ControlledDispatch.WorkerPool

extension Scenario {
  static let ownSignal = Scenario(
    "own-signal",
    asks: "In a callback a page is asked for, and waited for. Who would signal?",
    versions: [
      Version(
        "semaphore, in a callback",
        .surprising("deadlock", "the signal comes on the queue that waits"), strategy: .everyClass
      ) {
        let download = DeadlocksExplored.DownloadWaiting(from: DeadlocksExplored.Network())
        return callback { done in download.startPage { done($0) } }
      },
      Version(
        "callback in a callback", .allowed("contents of start"), strategy: .everyClass
      ) {
        let download = DeadlocksExplored.DownloadCallback(from: DeadlocksExplored.Network())
        return callback { done in download.startPage { done($0) } }
      },
    ])

  static let ownGroup = Scenario(
    "own-group",
    asks: "A folder in the import waits for the group that it is a member of. When does it end?",
    versions: [
      Version(
        "one group for all", .surprising("deadlock", "a member waits for all members"),
        strategy: .everyClass
      ) {
        let importing = DeadlocksExplored.ImportWaitingForItself(on: DispatchQueue.global())
        importing.start(DeadlocksExplored.Folder([], folders: [DeadlocksExplored.Folder(["a"])]))
        importing.group.wait()
        return "imported"
      },
      Version(
        "a leave is missing", .surprising("deadlock", "one enters and never leaves"),
        strategy: .everyClass
      ) {
        let importing = DeadlocksExplored.ImportForgettingLeave(on: DispatchQueue.global())
        importing.start(DeadlocksExplored.Folder(["a", ""]))
        importing.group.wait()
        return "imported"
      },
      Version("a group a folder", .allowed("imported"), strategy: .everyClass) {
        let importing = DeadlocksExplored.ImportGroup(on: DispatchQueue.global())
        return callback { done in
          importing.start(
            DeadlocksExplored.Folder(["a", ""], folders: [DeadlocksExplored.Folder(["b"])])
          ) { done("imported") }
        }
      },
    ])

  static let operationCycle = Scenario(
    "operation-cycle",
    asks:
      "Photos need the token, the token needs the log, and the log needs the photos. What runs?",
    versions: [
      Version(
        "dependencies as declared", .surprising("deadlock", "none is ever ready"),
        strategy: .everyClass
      ) {
        let ran = Shared("", "ran")
        DeadlocksExplored.SyncPlanInACircle().run(circle) { name in ran.update { $0 += name } }
        return "ran: \(ran.value)"
      },
      Version("looked for a circle first", .allowed("refused"), strategy: .everyClass) {
        do {
          try DeadlocksExplored.SyncPlanOperation().run(circle) { _ in }
          return "ran"
        } catch { return "refused" }
      },
    ])

  static let ownOperationQueue = Scenario(
    "own-operation-queue",
    asks: "A film's operation puts its part on its own queue, one wide, and waits. What happens?",
    versions: [
      Version(
        "waits for its part", .surprising("deadlock", "the part needs the place of the film"),
        strategy: .everyClass
      ) {
        let export = DeadlocksExplored.ExportWaitingForParts(width: 1)
        export.export(films: 1, parts: 1) {}
        export.waitForAll()
        return "exported"
      },
      Version("its end depends on its part", .allowed("exported"), strategy: .everyClass) {
        let export = DeadlocksExplored.ExportOperation(width: 1)
        export.export(films: 1, parts: 1) {}
        export.waitForAll()
        return "exported"
      },
    ])

  static let blockedPool = Scenario(
    "blocked-pool",
    asks: "Two photos wait for the decoder, and the pool has two workers. What happens?",
    versions: [
      Version(
        "each waits on its queue", .allowed("shown"),
        .surprising("deadlock", "the decoder finds no worker"), strategy: .everyClass
      ) {
        WorkerPool.limit(to: 2)
        DeadlocksExplored.GalleryFillingPool(target: .global()).show(2)
        return "shown"
      },
      Version("submitted when decoded", .allowed("shown"), strategy: .everyClass) {
        WorkerPool.limit(to: 2)
        DeadlocksExplored.GalleryQueue(target: .global()).show(2)
        return "shown"
      },
    ])
}

// MARK: What they do

private let circle = [
  DeadlocksExplored.Feature("photos", needs: ["token"]),
  DeadlocksExplored.Feature("token", needs: ["log"]),
  DeadlocksExplored.Feature("log", needs: ["photos"]),
]
