import Dispatch
import Workbook

extension Subject {
  static let childSaves = Subject(
    "child-saves",
    asks: "A child inserts a user and saves to the main context. Main asks it for its count.",
    right: .allowed("2 users"),
    implementations: [
      .before(
        "main performs and waits",
        .deadlock("the save waits for the main thread, which waits for the child's queue"),
        .allowed("2 users", "the save was first").onlyExplored
      ) { stage in
        let (main, child, isBusy) = savingChild(on: stage)
        return main.performAndWait {
          isBusy.wait()
          stage.aboutToBlock("a wait for the child's queue")
          return "\(MainWaits.count(of: child)) users"
        }
      }
      .code("ImportMainWaits.swift", "child.performAndWait")
      .found(
        "a cycle of 2: scenario waits for queue import, held by import 1; import 1 waits for queue main, held by scenario"
      ),
      .before("main is called back") { stage in
        let (main, child, isBusy) = savingChild(on: stage)
        return await result { report in
          main.performAndWait {
            isBusy.wait()
            child.perform {
              let users = child.users().count
              main.perform { report("\(users) users") }
            }
          }
        }
      }
      .code("ChildSaves.swift", "let users = child.users().count"),
      .after("main awaits") { _ in
        let store = Store(Table([UserID(number: 1): User(name: "Ada")]))
        let save = Task { try await store.update { $0.insert(User(name: "Bo")) } }
        return await countedOnMain(store, after: save)
      }
      .code("ChildSaves.swift", "await store.users.count"),
    ])
}

@MainActor private func countedOnMain(
  _ store: Store, after save: Task<UserID, any Error>
) async -> String {
  _ = await save.result
  return "\(await store.users.count) users"
}

/// A child of the main context that inserts a user and saves, which takes the main thread.
///
/// - Returns: Both, and what is signalled when the child is busy. Explored, it may be busy sooner or later.
private func savingChild(on stage: Stage) -> (main: Context, Context, isBusy: DispatchSemaphore) {
  let main = Context(
    "main", .main, over: Coordinator(Table([UserID(number: 1): User(name: "Ada")])))
  let child = Context("import", parent: main)
  let isBusy = DispatchSemaphore(value: 0)
  if stage.isExplored { isBusy.signal() }
  child.perform {
    if !stage.isExplored { isBusy.signal() }
    child.insert(User(name: "Bo"))
    try? child.save()
  }
  return (main, child, isBusy)
}
