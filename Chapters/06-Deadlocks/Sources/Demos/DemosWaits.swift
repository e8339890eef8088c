import Dispatch
import Synchronization
import Workbook

extension Demo {
  static let ownSignal = Demo(
    "own-signal",
    asks: "In a callback a page is asked for, and waited for. Who would signal?",
    sides: [
      .hazard(
        .before, "semaphore, in a callback", .ownSignal,
        .surprising("hang", "the signal would come on the queue that waits"), .forbidden("shown")),
      .watched(
        .before, "semaphore, in a callback", .ownSignal,
        "suspected: a block of network, a thread of network, main",
        "a semaphore has no holder: who waits is listed when all stands still"),
      .before(
        "callback in a callback", .allowed("contents of start"), .forbidden("contents of login")
      ) { _ in
        await withCheckedContinuation { continuation in
          DownloadCallback(from: Network()).startPage { continuation.resume(returning: $0) }
        }
      },
      .after("await", .allowed("contents of start"), .forbidden("contents of login")) { _ in
        await DownloadAsync(from: Network()).startPage()
      },
    ])

  static let ownGroup = Demo(
    "own-group",
    asks: "A folder in the import waits for the group that it is a member of. When does it end?",
    sides: [
      .hazard(
        .before, "one group for all", .ownGroup,
        .surprising("hang", "a member waits for all members"), .forbidden("imported")),
      .watched(
        .before, "one group for all", .ownGroup,
        "deadlock, confirmed: a thread", "before the member blocks"),
      .hazard(
        .before, "a leave is missing", .missingLeave,
        .surprising("hang", "an early return leaves it out"), .forbidden("imported")),
      .watched(
        .before, "a leave is missing", .missingLeave,
        "suspected: main", "nobody knows who would leave"),
      .before("a group a folder", .allowed("imported"), .forbidden("hang")) { _ in
        await withCheckedContinuation { continuation in
          ImportGroup(on: .global()).start(Folder(["a", ""], folders: [Folder(["b"])])) {
            continuation.resume(returning: "imported")
          }
        }
      },
      .after("task group", .allowed("2 imported"), .forbidden("0 imported")) { _ in
        "\(await ImportTaskGroup().start(Folder(["a", ""], folders: [Folder(["b"])]))) imported"
      },
    ])

  static let operationCycle = Demo(
    "operation-cycle",
    asks:
      "Photos need the token, the token needs the log, and the log needs the photos. What runs?",
    sides: [
      .hazard(
        .before, "dependencies as declared", .operationCycle,
        .surprising("hang", "none is ever ready, and nobody says so"), .forbidden("ran")),
      .watched(
        .before, "dependencies as declared", .operationCycle,
        "deadlock, confirmed: 3 operations", "when the last one is added"),
      .before("looked for a circle first", .allowed("refused: log photos token"), .forbidden("ran"))
      { _ in
        do {
          try SyncPlanOperation().run([
            Feature("photos", needs: ["token"]), Feature("token", needs: ["log"]),
            Feature("log", needs: ["photos"]),
          ]) { _ in }
          return "ran"
        } catch let circle as SyncPlanOperation.Circle {
          return "refused: \(circle.names.joined(separator: " "))"
        }
      },
      .after(
        "async functions", .allowed("token first, log last", "a circle cannot be written"),
        .forbidden("another order")
      ) { _ in
        let ran = Mutex<[String]>([])
        await SyncPlanAsync().run { name in ran.withLock { $0.append(name) } }
        let names = ran.withLock { $0 }
        return names.count == 4 && names.first == "token" && names.last == "log"
          ? "token first, log last" : "another order"
      },
    ])

  static let ownOperationQueue = Demo(
    "own-operation-queue",
    asks: "A film's operation puts its part on its own queue, one wide, and waits. What happens?",
    sides: [
      .hazard(
        .before, "waits for its part", .ownOperationQueue,
        .surprising("hang", "the part needs the place that the film has"), .forbidden("exported")),
      .watched(
        .before, "waits for its part", .ownOperationQueue,
        "deadlock, confirmed: a thread, an operation", "before the film blocks"),
      .before("its end depends on its part", .allowed("1 part"), .forbidden("0 parts")) { _ in
        let done = Atomic(0)
        let export = ExportOperation(width: 1)
        export.export(films: 1, parts: 1) { done.add(1, ordering: .sequentiallyConsistent) }
        await blocking { export.waitForAll() }
        return done.load(ordering: .sequentiallyConsistent) == 1 ? "1 part" : "0 parts"
      },
      .after("task group", .allowed("1 part"), .forbidden("0 parts")) { _ in
        let done = Atomic(0)
        await ExportTaskGroup().export(films: 1, parts: 1) {
          done.add(1, ordering: .sequentiallyConsistent)
        }
        return done.load(ordering: .sequentiallyConsistent) == 1 ? "1 part" : "0 parts"
      },
    ])

  static let blockedPool = Demo(
    "blocked-pool",
    asks: "600 queues each hold a thread until the decoder has run. Does it get to run?",
    sides: [
      .hazard(
        .before, "each waits on its queue", .blockedPool,
        .surprising("hang", "Dispatch begins 255 threads, and the decoder has none"),
        .forbidden("shown")),
      .watched(
        .before, "each waits on its queue", .blockedPool,
        "suspected: 602 wait", "a semaphore has no holder"),
      .before("submitted when decoded", .allowed("shown"), .forbidden("hang")) { _ in
        await blocking {
          GalleryQueue().show(600)
          return "shown"
        }
      },
      .after("task group", .allowed("600 shown"), .forbidden("hang")) { _ in
        "\(await GalleryTaskGroup().show(600)) shown"
      },
    ])
}
