import Dispatch
import Foundation
import Synchronization
import Workbook

// What traps or hangs, in a child process.

extension Hazard {
  static let ownQueue = Hazard("deadlocks/own-queue") { change(SettingsTellingInside(), $0) }

  static let ownLock = Hazard("deadlocks/own-lock") { change(SettingsTellingLocked(), $0) }

  static let ownMutex = Hazard("deadlocks/own-mutex") { change(SettingsTellingUnderMutex(), $0) }

  static let mainFromMain = Hazard("deadlocks/main-from-main") { transcript in
    let badge = BadgeSyncToMain()
    transcript.aboutToBlock("main.sync on the main thread")
    return "badge \(badge.add(1))"
  }

  static let twoQueues = Hazard.task("deadlocks/two-queues") { transcript in
    await renameAgainstDelete(in: LibraryCrosswise(photos: ["a"]), transcript)
  }

  static let twoLocks = Hazard.task("deadlocks/two-locks") { transcript in
    await transfers(between: TransferCrosswise.self, transcript)
  }

  static let twoMutexes = Hazard.task("deadlocks/two-mutexes") { transcript in
    await transfers(between: TransferCrosswiseMutex.self, transcript)
  }

  /// Nobody waits: B begins when A is done. Only whoever looks at the order of the locks can tell.
  static let twoInTurn = Hazard.task("deadlocks/two-in-turn") { _ in
    let purses = (1...2).map { TransferCrosswise(number: $0, balance: 100) }
    _ = await interrupt(isUnguarded: true) { pause in
      purses[0].transfer(50, to: purses[1]) {}
      pause()
    } by: {
      purses[1].transfer(20, to: purses[0]) {}
    }
    return "\(purses[0].balance) and \(purses[1].balance)"
  }

  static let sharedTarget = Hazard("deadlocks/shared-target") { transcript in
    let disk = DispatchQueue(label: "disk")
    let originals = Originals(["a": "photo"], on: disk)
    transcript.aboutToBlock("originals.sync on thumbnails; both target disk")
    return ThumbnailsOnOneTarget(of: originals, on: disk).thumbnail(of: "a") ?? "none"
  }

  static let sharedTargetItem = Hazard("deadlocks/shared-target-item") { transcript in
    let disk = DispatchQueue(label: "disk")
    let originals = Originals(["a": "photo"], on: disk)
    transcript.aboutToBlock("item.wait() on thumbnails for an item of originals")
    return ThumbnailsOnOneTarget(of: originals, on: disk).thumbnailByWaiting(of: "a") ?? "none"
  }

  static let ownSignal = Hazard("deadlocks/own-signal") { transcript in
    let shown = DispatchSemaphore(value: 0)
    DownloadWaiting(from: Network()).startPage(
      aboutToWait: { transcript.aboutToBlock("semaphore.wait() on the network's queue") },
      then: { _ in shown.signal() })
    shown.wait()
    return "shown"
  }

  static let ownGroup = Hazard("deadlocks/own-group") { transcript in
    let importing = ImportWaitingForItself(on: .global())
    importing.start(
      Folder([], folders: [Folder(["a"])]),
      aboutToWait: { transcript.aboutToBlock("group.wait() in a member of the group") })
    importing.group.wait()
    return "imported"
  }

  static let missingLeave = Hazard("deadlocks/missing-leave") { transcript in
    let importing = ImportForgettingLeave(on: .global())
    importing.start(Folder(["a", ""]))
    transcript.aboutToBlock("group.wait() for two enters and one leave")
    importing.group.wait()
    return "imported"
  }

  static let operationCycle = Hazard("deadlocks/operation-cycle") { transcript in
    SyncPlanInACircle().run(
      [
        Feature("photos", needs: ["token"]), Feature("token", needs: ["log"]),
        Feature("log", needs: ["photos"]),
      ],
      aboutToWait: { transcript.aboutToBlock("waitUntilAllOperationsAreFinished()") },
      { transcript.say($0) })
    return "ran"
  }

  static let ownOperationQueue = Hazard("deadlocks/own-operation-queue") { transcript in
    let export = ExportWaitingForParts(width: 1)
    export.export(
      films: 1, parts: 1,
      aboutToWait: { transcript.aboutToBlock("part.waitUntilFinished() on its own queue") }, {})
    export.waitForAll()
    return "exported"
  }

  /// A queue by itself gets a thread at once, until there are 255; so 600 fill the pool within a moment.
  static let blockedPool = Hazard("deadlocks/blocked-pool") { transcript in
    GalleryFillingPool().show(
      600,
      aboutToWait: { transcript.aboutToBlock("600 queues wait for one that has no thread") })
    return "shown"
  }

  static let philosophers = Hazard.task("deadlocks/philosophers") { transcript in
    await dinner(at: TableLeftFirst(seats: 5), meeting: Meeting(of: 5), transcript)
  }

  // MARK: await

  static let asyncPhilosophers = Hazard.task("deadlocks/async-philosophers") { transcript in
    let table = TableOfForks((0..<5).map { _ in ForkActor() })
    let meeting = AsyncMeeting(of: 5)
    await withDiscardingTaskGroup { group in
      for seat in 0..<5 {
        group.addTask(name: "philosopher \(seat + 1)") {
          await table.eat(at: seat) {
            await meeting.meet {
              transcript.aboutToBlock("each, with one fork, awaits the other")
            }
          }
        }
      }
    }
    return "all ate"
  }

  static let taskCycle = Hazard.task("deadlocks/task-cycle") { transcript in
    let resolver = ResolverAwaitingInACircle(["Model": ["Net"], "Net": ["Model"]])
    let needs = await resolver.needs(of: "Model") { module in
      transcript.aboutToBlock("await of the task for \(module)")
    }
    return needs.sorted().joined(separator: " ")
  }

  static let forgottenContinuation = Hazard.task("deadlocks/forgotten-continuation") { transcript in
    let requests = RequestsForgottenAtClose()
    async let answer = requests.answer(to: 1)
    while await !requests.isWaited(for: 1) { await Task.yield() }
    await requests.close()
    transcript.aboutToBlock("await of an answer that nobody gives any more")
    return await answer.map { "A gets \($0)" } ?? "A gets nothing"
  }

  static let unfinishedStream = Hazard.task("deadlocks/unfinished-stream") { transcript in
    let (stream, progress) = AsyncStream.makeStream(of: Int.self)
    await BackupUnfinished().run(["a", "", "b"], progress)
    transcript.aboutToBlock("for await over a stream that is not finished")
    return "\(await stream.reduce(0) { max($0, $1) }) copied"
  }

  /// As many tasks as the cooperative pool has workers wait for a task of theirs that finds none.
  static let blockedCooperativePool = Hazard.task("deadlocks/blocked-cooperative-pool") {
    transcript in
    let width = ProcessInfo.processInfo.activeProcessorCount
    let meeting = Meeting(of: width)
    let catalogue = CatalogueBlocking { _ in 7 }
    return await withTaskGroup { group in
      for _ in 0..<width {
        group.addTask {
          meeting.meet()
          return catalogue.price(of: "a") {
            transcript.aboutToBlock("semaphore.wait() on the cooperative pool")
          }
        }
      }
      return "price \(await group.reduce(0, max))"
    }
  }

  static let cancelUnderLock = Hazard.task("deadlocks/cancel-under-lock") { transcript in
    let mailbox = MailboxResumingLocked<WaitingTask>()
    return await deliveryAgainstCancellation(
      next: { await mailbox.next() },
      deliver: { mailbox.deliver("letter", underLock: $0) }, transcript)
  }
}
