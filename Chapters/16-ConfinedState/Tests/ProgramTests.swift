import ChapterTesting
import Dispatch
import Foundation
import Testing
import Workbook

@testable import ConfinedState

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a server sends: users 5 to 1,000.
private let answer = try? JSONEncoder().encode(
  (5...1_000).map { User(name: "user \($0)", visits: $0) })

@Suite(.timeLimit(.minutes(30))) struct ProgramTests {
  /// Serves an answer while a body runs, which is given what loads it.
  private func serve(
    _ answer: Data?, _ body: (@escaping @Sendable () async throws -> Data) async throws -> Void
  ) async throws {
    let answer = try #require(answer)
    try await HTTPServer.run { _ in
      .status(200, body: answer)
    } during: { server in
      let url = server.url(of: "users")
      try await body { try await URLSession.shared.data(from: url).0 }
    }
  }

  /// The old import with a load that calls back.
  private func start(
    _ context: Context, _ load: @escaping @Sendable () async throws -> Data
  ) async -> Result<Int, any Error> {
    await result { completion in
      Queued.Import(context: context) { loaded in
        Task {
          do { loaded(.success(try await load())) } catch { loaded(.failure(error)) }
        }
      }.start(then: completion)
    }
  }

  // MARK: 4, and 996 more

  @Test func `contexts: the list shows 4, then 1,000, and so does the file`() async throws {
    try await inFile { file in
      let root = Context("root", over: Coordinator(try file.open()))
      let main = Context("main", .main, parent: root)
      // Main itself: a thread of the pool that waits for it is missing elsewhere.
      let list = await MainActor.run { Queued.UserList(of: main) }
      #expect(await MainActor.run { list.names.count } == 4)
      try await serve(answer) { load in
        let count = try await start(main, load).get()
        #expect(count == 996)
      }
      await MainActor.run {
        #expect(list.names == (1...1_000).map { "user \($0)" })
        #expect(list.changes.map(\.inserted.count) == [996])
      }
      #expect(try file.load().count == 1_000)
    }
  }

  @Test func `actor: the list shows 4, then 1,000, and so does the file`() async throws {
    try await inFile { file in
      let store = Store(try file.open())
      let list = Isolated.UserList()
      let following = Task { await list.follow(store) }
      while await list.names.count < 4 { await Task.yield() }
      try await serve(answer) { load in
        let count = try await Isolated.Import(store: store, load: load).run()
        #expect(count == 996)
      }
      while await list.names.count < 1_000 { await Task.yield() }
      following.cancel()
      await following.value
      #expect(await list.names == (1...1_000).map { "user \($0)" })
      #expect(await list.changes.map(\.inserted.count) == [996])
      #expect(try file.load().count == 1_000)
    }
  }

  @Test(arguments: ["[{\"name\": \"Ada\", \"visits\": 1}, {\"name\": 5}]", "nonsense", ""])
  func `of an answer that cannot be read nobody is taken over`(_ answer: String) async throws {
    try await inFile { file in
      let root = Context("root", over: Coordinator(try file.open()))
      let store = Store(try file.open())
      try await serve(Data(answer.utf8)) { load in
        let end = await start(root, load)
        #expect(throws: DecodingError.self) { try end.get() }
        await #expect(throws: DecodingError.self) {
          try await Isolated.Import(store: store, load: load).run()
        }
      }
      #expect(root.performAndWait { root.users().count } == 4)
      #expect(await store.users.count == 4)
      #expect(try file.load().count == 4)
    }
  }

  @Test func `if the file is full, main has 996 users that are not saved, and the actor has none`()
    async throws
  {
    let full = TestFile()
    full.fill()
    let root = Context("root", over: Coordinator(Table(.first(4), write: full.write)))
    let main = Context("main", .main, parent: root)
    let store = Store(Table(.first(4), write: full.write))
    try await serve(answer) { load in
      let end = await start(main, load)
      #expect(throws: TestFile.Full.self) { try end.get() }
      await #expect(throws: TestFile.Full.self) {
        try await Isolated.Import(store: store, load: load).run()
      }
    }
    #expect(await MainActor.run { main.users().count } == 1_000)
    #expect(await store.users.count == 4)
  }

  @Test func `an import that is cancelled takes over nobody`() async throws {
    let store = Store(Table(.first(4)))
    let data = try #require(answer)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Isolated.Import(store: store, load: { data }).run()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await store.users.count == 4)
  }

  @Test func `a visit that cannot be saved is not counted with the next one`() async {
    let file = TestFile()
    let context = Context("visits", over: Coordinator(Table(adaAndBo, write: file.write)))
    for isFull in [true, false] {
      file.fill(isFull)
      _ = await result { Queued.addVisit(to: ada, in: context, approve: { $0() }, then: $0) }
    }
    #expect(context.performAndWait { context.user(ada)?.visits } == 1)
  }

  @Test(arguments: [0, 1, 2])
  func `killed before the root's save, the file has still 4`(_ saves: Int) async throws {
    try await withFolder { folder in
      let file = StoreFile(in: folder)
      try file.save(.first(4))
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = folder.path as String, saves = saves as Int] in
        let file = StoreFile(name: "users", disk: FolderDisk(path: path))
        let root = Context("root", over: Coordinator(try file.open()))
        let child = Context("child", parent: root)
        child.performAndWait { for number in 5...1_000 { child.insert(User(name: "\(number)")) } }
        for context in [child, root].prefix(saves) {
          try context.performAndWait { try context.save() }
        }
        kill(getpid(), SIGKILL)
      }
      #expect(try file.load().count == (saves == 2 ? 1_000 : 4))
    }
  }
}

// MARK: What is left behind

#if os(Linux)
  @Suite(.timeLimit(.minutes(30))) struct LeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `sixty rounds leave no descriptor and no thread behind`() async {
      await #expect(processExitsWith: .success) {
        try await expectNothingLeft(after: 60, behindFirst: 20, fewerThan: 20, round)
      }
    }

    @Test func `contexts, objects and stores go when nobody has them`() async throws {
      weak var context: Context?
      weak var user: ManagedUser?
      weak var store: Store?
      do {
        let (one, other) = (
          Context("one", over: Coordinator(Table(adaAndBo))), Store(Table(adaAndBo))
        )
        (context, store) = (one, other)
        one.performAndWait {
          user = one.insert(User(name: "Cy"))
          _ = Queued.UserList(of: one)
        }
        try await other.transaction { $0[ada]?.visits += 1 }
        _ = await other.observe()
      }
      // The queue may still have its last block.
      while context != nil || store != nil { await Task.yield() }
      #expect(user == nil)
    }
  }

  private func round() async throws {
    try await withFolder { folder in
      let file = StoreFile(in: folder)
      let root = Context("root", over: Coordinator(try file.open()))
      let child = Context("child", parent: root)
      child.performAndWait { _ = child.insert(User(name: "Ada")) }
      if let error = await result(of: { child.saveToStore(then: $0) }) { throw error }
      let store = Store(try file.open())
      let reader = Task { for await _ in await store.observe().changes {} }
      try await Isolated.addVisitInTurn(to: ada, in: store) { _ in }
      reader.cancel()
      await reader.value
      await #expect(throws: DiskError.self) {
        let nowhere = StoreFile(name: "users", disk: FolderDisk(path: "/nowhere"))
        try await Store(Table(write: nowhere.save)).update { $0.insert(User(name: "Bo")) }
      }
    }
  }
#endif
