import ChapterTesting
import Dispatch
import Synchronization
import Testing
import Workbook

@testable import ConfinedState

/// Notes what a context tells, as in: didChange inserted 3.
private func notices(of context: Context) -> Deliveries<String> {
  let notices = Deliveries<String>()
  context.performAndWait {
    context.observe { [weak context] notice in
      // It is called on the queue, or this ends the process.
      context?.check()
      notices.append("\(notice.kind) \(notice.changes.told)")
    }
  }
  return notices
}

private func rename(_ id: UserID, to name: String, in context: Context) {
  context.performAndWait { context.user(id)?.name = name }
}

private func save(_ context: Context) throws {
  try context.performAndWait { try context.save() }
}

private func names(in context: Context) -> String {
  context.performAndWait { context.users().map(\.name).joined(separator: " ") }
}

@Suite(.timeLimit(.minutes(30))) struct ContextTests {
  private let coordinator = Coordinator(Table(adaAndBo))

  // MARK: What is told, and in what order

  @Test func `insert and save; fetch, change both names, save: each is told in four sets`() throws {
    let context = Context("one", over: Coordinator(Table()))
    let notices = notices(of: context)
    context.performAndWait { for name in ["Ada", "Bo"] { context.insert(User(name: name)) } }
    try save(context)
    context.performAndWait { for user in context.users() { user.name += "!" } }
    try save(context)
    #expect(
      notices.all == [
        "didChange inserted 1 2", "willSave inserted 1 2", "didSave inserted 1 2",
        "didChange updated 1 2", "willSave updated 1 2", "didSave updated 1 2",
      ])
  }

  @Test func `changes are told without a save, and once; a save without changes has no did-change`()
    async throws
  {
    let context = Context("one", over: coordinator)
    let notices = notices(of: context)
    context.perform {
      context.user(ada)?.name = "Eve"
      context.user(ada)?.visits += 1
    }
    await notices.wait(count: 1)
    #expect(notices.all == ["didChange updated 1"])
    rename(ada, to: "Ada", in: context)
    context.performAndWait { context.user(ada)?.visits = 0 }
    try save(context)
    #expect(notices.all.dropFirst(3) == ["willSave nothing", "didSave nothing"])
  }

  @Test
  func `within one block, who is inserted and changed is inserted, who goes again was not there`() {
    let context = Context("one", over: coordinator)
    let notices = notices(of: context)
    context.performAndWait {
      context.insert(User(name: "Cy")).name = "Cyd"
      context.delete(context.insert(User(name: "Di")))
      context.user(ada)?.name = "Eve"
      if let ada = context.user(ada) { context.delete(ada) }
    }
    #expect(notices.all == ["didChange inserted 3, deleted 1"])
  }

  @Test func `a save that fails has no did-save, and its changes stay`() throws {
    let context = Context("one", over: coordinator)
    rename(ada, to: "Eve", in: context)
    try coordinator.updateAll { $0.visits += 1 }
    let notices = notices(of: context)
    #expect(throws: Conflict(ids: [ada])) { try save(context) }
    #expect(notices.all == ["willSave updated 1"])
    #expect(names(in: context) == "Eve Bo")
  }

  @Test func `a rollback is told: who is gone, and who is read again`() {
    let context = Context("one", over: coordinator)
    context.performAndWait {
      context.insert(User(name: "Cy"))
      context.user(ada)?.name = "Eve"
      if let bo = context.user(bo) { context.delete(bo) }
    }
    let notices = notices(of: context)
    context.performAndWait { context.rollback() }
    #expect(notices.all == ["didChange deleted 3, refreshed 1 2"])
    #expect(names(in: context) == "Ada Bo")
  }

  @Test func `the parent tells what a child has saved; a root tells what a conflict has refreshed`()
    throws
  {
    let root = Context("root", over: coordinator, policy: .objectWins)
    let child = Context("child", parent: root)
    rename(ada, to: "Eve", in: child)
    try coordinator.updateAll { $0.visits += 1 }
    let notices = notices(of: root)
    try save(child)
    try save(root)
    #expect(
      notices.all == [
        "didChange updated 1", "willSave updated 1", "didSave updated 1", "didChange refreshed 1",
      ])
    #expect(coordinator.rows[ada]?.user == User(name: "Eve", visits: 1))
  }

  // MARK: Siblings

  @Test func `a sibling merges what was saved: new, changed and gone, and keeps its own changes`()
    throws
  {
    let (one, two) = (Context("one", over: coordinator), Context("two", over: coordinator))
    #expect(names(in: two) == "Ada Bo")
    two.performAndWait { two.user(ada)?.visits = 5 }
    let saved = Mutex(Changes())
    one.performAndWait {
      one.observe { notice in
        if notice.kind == .didSave { saved.withLock { $0 = notice.changes } }
      }
      one.insert(User(name: "Cy"))
      one.user(ada)?.name = "Eve"
      if let bo = one.user(bo) { one.delete(bo) }
    }
    try save(one)
    let notices = notices(of: two)
    two.performAndWait { two.merge(saved.withLock(\.self)) }
    #expect(notices.all == ["didChange inserted 3, deleted 2, refreshed 1"])
    #expect(names(in: two) == "Eve Cy")
    // It has seen the other's change, so this is no conflict.
    try save(two)
    #expect(coordinator.rows[ada]?.user == User(name: "Eve", visits: 5))
  }

  @Test func `who is gone and was changed here stays until the save, which meets the conflict`()
    throws
  {
    let (one, two) = (Context("one", over: coordinator), Context("two", over: coordinator))
    rename(ada, to: "Eve", in: two)
    one.performAndWait { if let ada = one.user(ada) { one.delete(ada) } }
    try save(one)
    two.performAndWait { two.merge(Changes(deleted: [ada])) }
    #expect(names(in: two) == "Eve Bo")
    #expect(throws: Conflict(ids: [ada])) { try save(two) }
  }

  @Test
  func
    `a change in the store itself is told to nobody, and seen after a refresh, which drops what was not saved`()
    throws
  {
    let context = Context("one", over: coordinator)
    #expect(names(in: context) == "Ada Bo")
    let notices = notices(of: context)
    try coordinator.updateAll { $0.name += "!" }
    #expect(names(in: context) == "Ada Bo")
    #expect(notices.all.isEmpty)
    rename(ada, to: "Eve", in: context)
    context.performAndWait { for user in context.users() { context.refresh(user) } }
    #expect(names(in: context) == "Ada! Bo!")
    #expect(notices.all == ["didChange updated 1", "didChange refreshed 1 2"])
  }

  // MARK: Queues

  @Test func `performAndWait may be nested: on one context, and through another one`() async {
    let (a, b) = (Context("a", over: coordinator), Context("b", over: coordinator))
    let main = Context("main", .main, over: coordinator)
    let names = a.performAndWait {
      a.performAndWait { b.performAndWait { a.performAndWait { a.users().map(\.name) } } }
    }
    #expect(names == ["Ada", "Bo"])
    let onMain = await result { completion in
      main.perform {
        main.performAndWait {
          a.performAndWait { main.performAndWait { completion(main.users().count) } }
        }
      }
    }
    #expect(onMain == 2)
  }

  @Test func `perform comes later, and in order`() async {
    let context = Context("one", over: coordinator)
    let steps = Deliveries<String>()
    context.performAndWait {
      context.perform { steps.append("performed") }
      context.perform { steps.append("performed again") }
      steps.append("here")
    }
    #expect(await steps.wait(count: 3) == ["here", "performed", "performed again"])
  }

  @Test(arguments: ["context", "object", "wrong context"])
  func `a use off the queue ends the process, and is named`(_ use: String) async throws {
    let ended = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [use = use as String] in
      let (one, other) = (
        Context("one", over: Coordinator(Table(adaAndBo))),
        Context("other", over: Coordinator(Table(adaAndBo)))
      )
      switch use {
      case "context": _ = one.users()
      case "object": _ = one.performAndWait { one.user(ada) }?.name
      default: other.performAndWait { _ = one.users() }
      }
    }
    let words = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
    let what = use == "object" ? "name" : "users()"
    #expect(words.contains("\(what) of the context “one” off its queue"), "\(words)")
  }
}
