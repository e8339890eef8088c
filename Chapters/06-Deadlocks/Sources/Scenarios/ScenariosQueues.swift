import DeadlocksExplored
import Interleaving
import Workbook

import class ControlledDispatch.DispatchQueue
import func ControlledDispatch.strands

extension Scenario {
  static let ownQueue = Scenario(
    "own-queue",
    asks: "A listener that is told of a change asks for the new value. What happens?",
    versions: [
      Version(
        "serial queue, told inside", .surprising("trap", "sync on the queue it runs on"),
        strategy: .everyClass
      ) { changes(DeadlocksExplored.SettingsTellingInside()) },
      Version(
        "NSLock, told inside", .surprising("deadlock", "a lock that its holder takes again"),
        strategy: .everyClass
      ) { changes(DeadlocksExplored.SettingsTellingLocked()) },
      Version(
        "Mutex, told inside", .surprising("trap", "a Mutex refuses to be taken again"),
        strategy: .everyClass
      ) { changes(DeadlocksExplored.SettingsTellingUnderMutex()) },
      Version("serial queue, told after", .allowed("the listener sees 7"), strategy: .everyClass) {
        changes(DeadlocksExplored.SettingsSerialQueue())
      },
      Version("Mutex, told after", .allowed("the listener sees 7"), strategy: .everyClass) {
        changes(DeadlocksExplored.SettingsMutex())
      },
    ])

  static let mainFromMain = Scenario(
    "main-from-main",
    asks:
      "Code on the main queue adds to the badge, which belongs to the main queue. What happens?",
    versions: [
      Version(
        "main.sync", .surprising("trap", "main waits for itself"), strategy: .everyClass
      ) {
        let badge = DeadlocksExplored.BadgeSyncToMain()
        return onMain { $0(badge.add(1)) }
      },
      Version("main.async and a callback", .allowed("badge 1"), strategy: .everyClass) {
        let badge = DeadlocksExplored.BadgeCallback()
        return onMain { done in badge.add(1) { done($0) } }
      },
    ])

  static let twoQueues = Scenario(
    "two-queues",
    asks: "A renames a photo, from disk to index; B deletes it, from index to disk. What happens?",
    versions: [
      Version(
        "two queues, crosswise", .allowed("consistent"),
        .surprising("deadlock", "each is on one queue and waits for the other"),
        strategy: .everyClass
      ) {
        let library = DeadlocksExplored.LibraryCrosswise(photos: ["a"])
        strands(
          { library.rename("a", to: "b") {} }, { library.delete("a") {} })
        return library.isConsistent ? "consistent" : "inconsistent"
      },
      Version("one queue for both", .allowed("consistent"), strategy: .everyClass) {
        let library = DeadlocksExplored.LibrarySerialQueue(photos: ["a"])
        strands(
          { library.rename("a", to: "b") {} }, { library.delete("a") {} })
        return library.isConsistent ? "consistent" : "inconsistent"
      },
    ])

  static let sharedTarget = Scenario(
    "shared-target",
    asks: "The thumbnails' queue asks the originals' queue; both have one target. What happens?",
    versions: [
      Version(
        "sync to a queue of the same target",
        .surprising("trap", "it would wait for the target that it holds"), strategy: .everyClass
      ) {
        let disk = DispatchQueue(label: "disk")
        let originals = DeadlocksExplored.Originals(["a": "photo"], on: disk)
        return DeadlocksExplored.ThumbnailsOnOneTarget(of: originals, on: disk).thumbnail(of: "a")
          ?? "none"
      },
      Version(
        "wait for an item of the same target",
        .surprising("deadlock", "the item needs the target that the waiter holds"),
        strategy: .everyClass
      ) {
        let disk = DispatchQueue(label: "disk")
        let originals = DeadlocksExplored.Originals(["a": "photo"], on: disk)
        return DeadlocksExplored.ThumbnailsOnOneTarget(of: originals, on: disk).thumbnailByWaiting(
          of: "a") ?? "none"
      },
      Version(
        "off one's own queue first", .allowed("small photo"), strategy: .everyClass
      ) {
        let disk = DispatchQueue(label: "disk")
        let originals = DeadlocksExplored.Originals(["a": "photo"], on: disk)
        return DeadlocksExplored.ThumbnailsQueue(of: originals, on: disk).thumbnail(of: "a")
          ?? "none"
      },
    ])
}

// MARK: What they do

private func changes(_ settings: some DeadlocksExplored.Settings) -> String {
  let seen = Shared(0, "seen")
  settings.observe { key in seen.value = settings.value(for: key) }
  settings.set(7, for: "volume")
  return "the listener sees \(seen.value)"
}

private func onMain(_ add: @escaping @Sendable (@escaping @Sendable (Int) -> Void) -> Void)
  -> String
{
  callback { done in
    DispatchQueue.main.async { add { done("badge \($0)") } }
  }
}
