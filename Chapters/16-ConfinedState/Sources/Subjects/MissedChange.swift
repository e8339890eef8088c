import Dispatch
import Workbook

extension Subject {
  static let missedChange = Subject(
    "missed-change",
    asks: "A list reads a store and subscribes, while Bo is saved. Is Bo shown?",
    right: .allowed("Bo is shown"),
    implementations: [
      .after(
        "show, then subscribe",
        .surprising("Bo is missing", "saved after the snapshot, and before the subscription")
      ) { _ in
        try await shown { store in
          var users: [UserID: User] = [:]
          let changes = await TwoSteps.follow(store) { users = $0 }
          return (users, changes)
        }
      }
      .code("UserListTwoSteps.swift", "show(await store.users)")
      .notPlayed("the save would have to come between two lines of the list"),
      .before("show and observe in one block") { _ in
        let context = Context(
          "list", over: Coordinator(Table([UserID(number: 1): User(name: "Ada")])))
        let isSaved = DispatchSemaphore(value: 0)
        DispatchQueue(label: "server").async {
          context.perform {
            context.insert(User(name: "Bo"))
            isSaved.signal()
          }
        }
        let list = context.performAndWait { Queued.UserList(of: context) }
        isSaved.wait()
        return context.performAndWait { told(list.names.contains("Bo")) }
      }
      .code("UserListQueue.swift", "context.observe"),
      .after("snapshot and stream in one step") { _ in try await shown { await $0.observe() } }
        .code("StoreActor.swift", "func observe()"),
    ])
}

/// Observes a store while Bo is saved, and looks at all that comes up to a last user.
@MainActor private func shown(
  _ observe: (Store) async -> (users: [UserID: User], changes: AsyncStream<Changes>)
) async throws -> String {
  let store = Store(Table([UserID(number: 1): User(name: "Ada")]))
  let save = Task { try await store.update { $0.insert(User(name: "Bo")) } }
  let (users, changes) = await observe(store)
  let bo = try await save.value
  let last = try await store.update { $0.insert(User(name: "Cy")) }
  var seen = Set(users.keys)
  for await change in changes {
    seen.formUnion(change.inserted)
    if seen.contains(last) { break }
  }
  return told(seen.contains(bo))
}

private func told(_ isShown: Bool) -> String { isShown ? "Bo is shown" : "Bo is missing" }
