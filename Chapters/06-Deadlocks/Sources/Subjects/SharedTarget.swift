import Dispatch
import Workbook

extension Subject {
  static let sharedTarget = Subject(
    "shared-target",
    asks: "The thumbnails' queue asks the originals' queue; both have one target. What happens?",
    right: .allowed("small photo"), .forbidden("none"),
    implementations: [
      .before(
        "sync to a queue of the same target", .trap("two labels, and one queue")
      ) { stage in
        stage.aboutToBlock("originals.sync on thumbnails; both target disk")
        return onOneDisk { QueuedInside.Thumbnails(of: $0, on: $1).thumbnail(of: "a") }
      }
      .code("ThumbnailsOnOneTarget.swift", "queue.sync")
      .alwaysWrong
      .watched("deadlock, confirmed: main", "before Dispatch traps"),
      .before(
        "wait for an item of the same target",
        .deadlock("the item waits for the target, which the waiter has")
      ) { stage in
        stage.aboutToBlock("item.wait() on thumbnails for an item of originals")
        return onOneDisk { QueuedInside.Thumbnails(of: $0, on: $1).thumbnailByWaiting(of: "a") }
      }
      .code("ThumbnailsOnOneTarget.swift", "let reading")
      .alwaysWrong
      .watched("deadlock, confirmed: a block of originals, main", "before main blocks")
      .found(
        "a cycle of 2: scenario waits for the end of DispatchWorkItem, held by originals 1; "
          + "originals 1 waits for queue disk, held by scenario"),
      .before("off one's own queue first") { _ in
        onOneDisk { Queued.Thumbnails(of: $0, on: $1).thumbnail(of: "a") }
      }
      .code("ThumbnailsQueue.swift", "if let thumbnail"),
      .after("one actor") { _ in
        await Isolated.Thumbnails(of: ["a": "photo"]).thumbnail(of: "a") ?? "none"
      }
      .code("ThumbnailsActor.swift", "if let thumbnail"),
    ])
}

private func onOneDisk(_ ask: (Originals, DispatchQueue) -> String?) -> String {
  let disk = DispatchQueue(label: "disk")
  return ask(Originals(["a": "photo"], on: disk), disk) ?? "none"
}
