import Synchronization
import Testing
import Workbook

@testable import ConfinedState

@Suite(.timeLimit(.minutes(30))) struct StoreTests {
  private struct Refused: Error {}

  private let store = Store(Table(adaAndBo))

  @Test func `an update is whole or not at all`() async {
    await #expect(throws: Refused.self) {
      try await store.update { draft in
        draft[ada]?.name = "Eve"
        throw Refused()
      }
    }
    #expect(told(await store.users) == "Ada 0, Bo 0")
  }

  // MARK: Transactions

  @Test func `transactions run as they come; one that throws or is cancelled is no obstacle`()
    async throws
  {
    let (steps, hasBegun, mayEnd) = (Transcript(), Gate(), Gate())
    let first = Task {
      try await store.transaction { _ in
        hasBegun.open()
        await mayEnd.wait()
        steps.say("first")
        throw Refused()
      }
    }
    await hasBegun.wait()
    let others = ["second", "third", "fourth"].map { name in
      Task.immediate { try await store.transaction { _ in steps.say(name) } }
    }
    others[1].cancel()
    mayEnd.open()
    await #expect(throws: Refused.self) { try await first.value }
    try await others[0].value
    await #expect(throws: CancellationError.self) { try await others[1].value }
    try await others[2].value
    #expect(steps.steps == ["first", "second", "fourth"])
  }

  @Test func `a save that is no transaction comes in between, and is a conflict, not a loss`()
    async throws
  {
    await #expect(throws: Conflict(ids: [ada])) {
      try await store.transaction { draft in
        draft[ada]?.visits += 1
        try await store.update { $0[ada]?.visits += 10 }
      }
    }
    #expect(await store.users[ada]?.visits == 10)
  }

  @Test func `a transaction that retries is run again from the beginning, and ends when cancelled`()
    async throws
  {
    let tries = Mutex(0)
    let visits = try await store.retrying { draft in
      let isFirst = tries.withLock { tries in
        tries += 1
        return tries == 1
      }
      if isFirst { try await store.update { $0[ada]?.visits += 10 } }
      draft[ada]?.visits += 1
      return draft[ada]?.visits
    }
    #expect(visits == 11)
    #expect(tries.withLock(\.self) == 2)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.retrying { $0[ada]?.visits += 1 }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `what a transaction only reads is not looked at`() async throws {
    try await store.retrying { draft in
      guard draft[bo] != nil else { return }
      try await store.update { $0[bo] = nil }
      let name = draft[bo]?.name ?? "nobody"
      draft[ada]?.name = "friend of \(name)"
    }
    #expect(told(await store.users) == "friend of Bo 0")
  }

  // MARK: Subscribers

  @Test func `a subscriber has what was there, and then each change once, in four sets`()
    async throws
  {
    let (users, changes) = await store.observe()
    #expect(told(users) == "Ada 0, Bo 0")
    try await store.update { draft in
      draft.insert(User(name: "Cy"))
      draft[ada]?.visits += 1
      draft[bo] = nil
    }
    try await store.update { _ in }
    try await store.updateAll { $0.visits += 1 }
    try await store.updateAll { _ in }
    try await store.update { $0[ada] = nil }
    var reader = changes.makeAsyncIterator()
    var heard: [String] = []
    for _ in 1...3 { heard.append(await reader.next()?.told ?? "the end") }
    #expect(heard == ["inserted 3, updated 1, deleted 2", "refreshed 1 3", "deleted 1"])
  }

  @Test func `a save that fails is told to nobody`() async throws {
    let file = TestFile()
    let store = Store(Table(adaAndBo, write: file.write))
    let (_, changes) = await store.observe()
    file.fill()
    await #expect(throws: TestFile.Full.self) { try await store.update { $0[ada] = nil } }
    await #expect(throws: TestFile.Full.self) { try await store.updateAll { $0.visits += 1 } }
    file.fill(false)
    try await store.update { $0[bo] = nil }
    var reader = changes.makeAsyncIterator()
    #expect(await reader.next()?.told == "deleted 2")
    #expect(told(await store.users) == "Ada 0")
  }

  @Test func `a reader that is cancelled is forgotten, and a store that goes ends its streams`()
    async
  {
    var store: Store? = Store(Table(adaAndBo))
    let isFollowing = Gate()
    let reader = Task { [store] in
      guard let changes = await store?.observe().changes else { return }
      isFollowing.open()
      for await _ in changes {}
    }
    await isFollowing.wait()
    #expect(await store?.subscribers.count == 1)
    reader.cancel()
    await reader.value
    while await store?.subscribers.count != 0 { await Task.yield() }
    let changes = await store?.observe().changes
    store = nil
    guard let changes else { return }
    for await _ in changes {}
  }
}
