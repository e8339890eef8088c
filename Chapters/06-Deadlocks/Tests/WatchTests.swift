import DeadlockDetection
import Synchronization
import Testing
import Workbook

@testable import DeadlocksWatched

/// The cures under watch. Every detector of the module is the shared one, so these take turns.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchTests {
  /// What was found in the module while a body ran; other tests of this process may use the shared one, too.
  private func findings(_ body: () async throws -> Void) async rethrows -> [Finding] {
    let found = Synchronization.Mutex<[Finding]>([])
    DeadlockDetector.shared.handle { finding in
      if finding.members.contains(where: { $0.place.file.hasPrefix("DeadlocksWatched/") }) {
        found.withLock { $0.append(finding) }
      }
      return .goOn
    }
    try await body()
    DeadlockDetector.shared.handle(with: DeadlockDetector.printing)
    return found.withLock { $0 }
  }

  @Test func `nothing is found where queues and locks are cured`() async {
    let found = await findings {
      #expect(change(SettingsSerialQueue()) == "the listener sees 7")
      #expect(change(SettingsMutex()) == "the listener sees 7")
      #expect(
        await renameAgainstDelete(in: LibrarySerialQueue(photos: ["a"])) == "B waits, consistent")
      #expect(await transfers(between: TransferLock.self) == "B waits, 70 and 130")
      #expect(
        await transfers(between: TransferMutex.self, isUnguarded: true)
          == "B comes in, 70 and 130")
      #expect(await dinner(at: TableLock(seats: 5)) == "all ate")
      let disk = DispatchQueue(label: "disk")
      let originals = Originals(["a": "photo"], on: disk)
      #expect(ThumbnailsQueue(of: originals, on: disk).thumbnail(of: "a") == "small photo")
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `nothing is found where waits are cured`() async {
    let found = await findings {
      await withUnsafeContinuation { continuation in
        DownloadCallback(from: Network()).startPage { _ in continuation.resume() }
      }
      await withUnsafeContinuation { continuation in
        ImportGroup(on: .global()).start(Folder(["a", ""], folders: [Folder(["b"])])) {
          continuation.resume()
        }
      }
      await blocking {
        GalleryQueue().show(20)
        ExportOperation(width: 1).export(films: 2, parts: 2) {}
        let export = ExportOperation(width: 1)
        export.export(films: 2, parts: 2) {}
        export.waitForAll()
        try? SyncPlanOperation().run([Feature("b", needs: ["a"]), Feature("a")]) { _ in }
      }
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test func `nothing is found where tasks are cured`() async {
    let found = await findings {
      #expect(await dinner(at: TableActor(seats: 5)) == "all ate")
      await #expect(throws: ResolverActor.Circle.self) {
        try await ResolverActor(["A": ["B"], "B": ["A"]]).needs(of: "A")
      }
      let requests = RequestsActor()
      async let answer = requests.answer(to: 1)
      await requests.close()
      #expect(await answer == nil)
      #expect(await CatalogueThread { _ in 7 }.price(of: "a") == 7)
      let mailbox = MailboxMutex<WaitingTask>()
      let outcome = await deliveryAgainstCancellation(
        next: { await mailbox.next() }, deliver: { mailbox.deliver("letter", underLock: $0) })
      #expect(outcome == "B waits, letter")
    }
    #expect(found.isEmpty, "\(found)")
  }

  /// The order of forks is a circle, and that the chairs break it is beyond what an order of locks shows.
  @Test func `where a semaphore breaks the circle, it is potential all the same`() async {
    let found = await findings {
      #expect(await dinner(at: TableSemaphore(seats: 5)) == "all ate")
    }
    #expect(found.map(\.certainty) == [.potential])
    #expect(found.map(\.kind) == [.lockOrderInversion])
  }
}
