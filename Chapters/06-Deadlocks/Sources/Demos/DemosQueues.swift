import Dispatch
import Workbook

extension Demo {
  static let ownQueue = Demo(
    "own-queue",
    asks: "A listener that is told of a change asks for the new value. What happens?",
    sides: [
      .hazard(
        .before, "serial queue, told inside", .ownQueue,
        .surprising("trap", "Dispatch finds it, and ends the process without a word"),
        .forbidden("the listener sees 7")),
      .watched(
        .before, "serial queue, told inside", .ownQueue,
        "deadlock, confirmed: main", "before Dispatch traps"),
      .hazard(
        .before, "NSLock, told inside", .ownLock,
        .surprising("hang", "nobody looks: the thread waits for itself"),
        .forbidden("the listener sees 7")),
      .watched(
        .before, "NSLock, told inside", .ownLock,
        "deadlock, confirmed: main", "before the thread waits for itself"),
      .before(
        "serial queue, told after", .allowed("the listener sees 7"),
        .forbidden("the listener sees 0")
      ) { _ in change(SettingsSerialQueue()) },
      .hazard(
        .after, "Mutex, told inside", .ownMutex,
        .surprising("fatal error", "on Linux the kernel finds it, and Mutex says so"),
        .forbidden("the listener sees 7")),
      .watched(
        .after, "Mutex, told inside", .ownMutex,
        "deadlock, confirmed: main", "before the thread waits for itself"),
      .after(
        "Mutex, told after", .allowed("the listener sees 7"), .forbidden("the listener sees 0")
      ) { _ in change(SettingsMutex()) },
      .after(
        "actor, told inside", .allowed("the listener sees 7", "the actor is free during the await"),
        .forbidden("the listener sees 0")
      ) { _ in
        let settings = SettingsActor()
        let seen = Seen()
        await settings.observe { await seen.see(await settings.value(for: $0)) }
        await settings.set(7, for: "volume")
        return "the listener sees \(await seen.value)"
      },
    ])

  private actor Seen {
    private(set) var value = 0
    func see(_ value: Int) { self.value = value }
  }

  static let mainFromMain = Demo(
    "main-from-main",
    asks:
      "Code on the main queue adds to the badge, which belongs to the main queue. What happens?",
    sides: [
      .hazard(
        .before, "main.sync", .mainFromMain,
        .surprising("trap", "sync on the queue it runs on"), .forbidden("badge 1")),
      .watched(
        .before, "main.sync", .mainFromMain,
        "deadlock, confirmed: main", "before Dispatch traps"),
      .before("main.async and a callback", .allowed("badge 1"), .forbidden("badge 0")) { _ in
        let badge = BadgeCallback()
        return await withCheckedContinuation { continuation in
          DispatchQueue.main.async { @Sendable in
            badge.add(1) { continuation.resume(returning: "badge \($0)") }
          }
        }
      },
      .after("main actor", .allowed("badge 1", "a plain call"), .forbidden("badge 0")) { _ in
        await MainActor.run { "badge \(BadgeAsync().add(1))" }
      },
    ])

  static let twoQueues = Demo(
    "two-queues",
    asks:
      "A renames a photo, on disk and then in the index; B deletes it the other way. What happens?",
    sides: [
      .hazard(
        .before, "two queues, crosswise", .twoQueues,
        .surprising("hang", "each is on one queue and waits for the other"),
        .forbidden("B waits, consistent")),
      .watched(
        .before, "two queues, crosswise", .twoQueues,
        "deadlock, confirmed: A, B", "before A blocks"),
      .before(
        "one queue for both", .allowed("B waits, consistent"), .forbidden("B waits, inconsistent")
      ) { _ in await renameAgainstDelete(in: LibrarySerialQueue(photos: ["a"])) },
      .after(
        "two actors, crosswise",
        .surprising(
          "B waits, inconsistent", "no deadlock: each finds what the other has half done"),
        .forbidden("hang")
      ) { _ in await renameAgainstDelete(in: LibraryTwoActors(photos: ["a"])) },
      .after(
        "one actor for both", .allowed("B waits, consistent"), .forbidden("B waits, inconsistent")
      ) { _ in await renameAgainstDelete(in: LibraryActor(photos: ["a"])) },
    ])

  static let sharedTarget = Demo(
    "shared-target",
    asks: "The thumbnails' queue asks the originals' queue; both have one target. What happens?",
    sides: [
      .hazard(
        .before, "sync to a queue of the same target", .sharedTarget,
        .surprising("trap", "two labels, and one queue"), .forbidden("small photo")),
      .watched(
        .before, "sync to a queue of the same target", .sharedTarget,
        "deadlock, confirmed: main", "before Dispatch traps"),
      .hazard(
        .before, "wait for an item of the same target", .sharedTargetItem,
        .surprising("hang", "the item waits for the target, which the waiter has"),
        .forbidden("small photo")),
      .watched(
        .before, "wait for an item of the same target", .sharedTargetItem,
        "deadlock, confirmed: a block of originals, main", "before main blocks"),
      .before("off one's own queue first", .allowed("small photo"), .forbidden("none")) { _ in
        let disk = DispatchQueue(label: "disk")
        let originals = Originals(["a": "photo"], on: disk)
        return ThumbnailsQueue(of: originals, on: disk).thumbnail(of: "a") ?? "none"
      },
      .after("one actor", .allowed("small photo"), .forbidden("none")) { _ in
        await ThumbnailsActor(of: ["a": "photo"]).thumbnail(of: "a") ?? "none"
      },
    ])
}
