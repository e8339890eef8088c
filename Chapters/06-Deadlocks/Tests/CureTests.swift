import Synchronization
import Testing
import Workbook

@testable import Deadlocks

/// What the text calls equal is tested once and run on each; two threads at once, many times.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CureTests {
  @Test(arguments: [SettingsSerialQueue.self, SettingsMutex.self] as [any Settings.Type])
  func `a listener sees the new value`(_ type: any Settings.Type) {
    #expect(change(type.init()) == "the listener sees 7")
  }

  @Test(
    arguments: [LibrarySerialQueue.self, LibraryActor.self] as [any Library.Type])
  func `disk and index name the same photos`(_ type: any Library.Type) async {
    let libraries = (0..<200).map { _ in type.init(photos: ["a"]) }
    await inTasks(2, rounds: libraries.count) { task, round in
      if task == 0 {
        await libraries[round].rename("a", to: "b") {}
      } else {
        await libraries[round].delete("a") {}
      }
    }
    for library in libraries { #expect(await library.isConsistent) }
  }

  @Test(
    arguments: [TransferLock.self, TransferMutex.self, TransferActor.self] as [any Purse.Type])
  func `two who pay each other lose nothing`(_ type: any Purse.Type) async {
    #expect(await total(afterTransfersBetween: type) == 200)
  }

  private func total<P: Purse>(afterTransfersBetween type: P.Type) async -> Int {
    let purses = (1...2).map { type.init(number: $0, balance: 100) }
    await inTasks(2, rounds: 500) { task, _ in
      await purses[task].transfer(1, to: purses[1 - task]) {}
    }
    return await purses[0].balance + purses[1].balance
  }

  @Test(arguments: [TableLock.self, TableSemaphore.self, TableActor.self] as [any Table.Type])
  func `five philosophers eat a hundred times each`(_ type: any Table.Type) async {
    let table = type.init(seats: 5)
    await inTasks(5, rounds: 100) { seat, _ in await table.eat(at: seat) {} }
  }

  @Test func `an import ends, whatever is in it`() async {
    let folder = Folder(["a", ""], folders: [Folder(["b"]), Folder([], folders: [Folder([""])])])
    await withCheckedContinuation { continuation in
      ImportGroup(on: .global()).start(folder) { continuation.resume() }
    }
    #expect(await ImportTaskGroup().start(folder) == 2)
  }

  @Test func `a plan without a circle runs in its order`() async throws {
    let ran = Mutex<[String]>([])
    let features = [
      Feature("log", needs: ["photos"]), Feature("photos", needs: ["token"]), Feature("token"),
    ]
    try await blocking {
      Result {
        try SyncPlanOperation().run(features) { name in
          ran.withLock { $0.append(name) }
        }
      }
    }.get()
    #expect(ran.withLock { $0 } == ["token", "photos", "log"])
  }

  @Test func `modules without a circle are resolved`() async throws {
    let resolver = ResolverActor(["App": ["Model", "Net"], "Model": ["Net"]])
    #expect(try await resolver.needs(of: "App") == ["Model", "Net"])
  }

  @Test func `a letter goes to who waits, or waits itself`() async {
    let mailbox = MailboxMutex<WaitingTask>()
    mailbox.deliver("first")
    #expect(await mailbox.next() == "first")
    let reader = Task { await mailbox.next() }
    mailbox.deliver("second")
    #expect(await reader.value == "second")
  }

  @Test func `a reader that is cancelled before it waits leaves the letter to others`() async {
    let mailbox = MailboxMutex<WaitingTask>()
    let reader = Task {
      while !Task.isCancelled { await Task.yield() }
      return await mailbox.next()
    }
    reader.cancel()
    #expect(await reader.value == nil)
    mailbox.deliver("letter")
    #expect(await mailbox.next() == "letter")
  }
}
