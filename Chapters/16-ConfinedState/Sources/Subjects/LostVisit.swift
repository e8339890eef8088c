import Dispatch
import Workbook

extension Subject {
  static let lostVisit = Subject(
    "lost-visit",
    asks: "A and B each add a visit, with an approval that takes time. How many are counted?",
    right: .allowed("2 counted"),
    implementations: [
      .before("context, read after the approval", meanwhile: .comesIn) {
        let context = Context("visits", over: Coordinator(Table([ada: User(name: "Ada")])))
        let pause = Pause()
        return Encounter(over: context, stoppedAt: .call(pause)) { _ in
          let isSaved = DispatchSemaphore(value: 0)
          Queued.addVisit(to: ada, in: context) { approved in
            pause.block()
            approved()
          } then: { _ in
            isSaved.signal()
          }
          isSaved.wait()
        } outcome: { _, _ in
          "\(context.performAndWait { context.user(ada)?.visits ?? 0 }) counted"
        }
      }
      .code("VisitsQueue.swift", "context.perform {"),
      .after(
        "actor, read before the await and written after it",
        .surprising("1 counted", "each writes back the count that it has read")
      ) {
        visits { store, approve in
          try await AcrossAwait.addVisit(to: ada, in: store) { _ in await approve() }
        }
      }
      .code("VisitsAcrossAwait.swift", "guard var user"),
      .after("actor, one step after the await", meanwhile: .comesIn) {
        visits { store, approve in
          try await Isolated.addVisit(to: ada, in: store) { await approve() }
        }
      }
      .code("VisitsActor.swift", "try await store.update"),
      .after("actor, one transaction after the other", meanwhile: .waits) {
        visits { store, approve in
          try await Isolated.addVisitInTurn(to: ada, in: store) { _ in await approve() }
        }
      }
      .code("StoreActor.swift", "_ = await lastTransaction?.result"),
      .after("actor, again after a conflict", meanwhile: .comesIn) {
        visits { store, approve in
          try await Isolated.addVisitOrRetry(to: ada, in: store) { _ in await approve() }
        }
      }
      .code("StoreActor.swift", "} catch is Conflict {}"),
    ])
}

private let ada = UserID(number: 1)

/// A is stopped in its approval.
private func visits(
  _ add: @escaping @Sendable (Store, Pause) async throws -> Void
) -> Encounter {
  let (store, pause) = (Store(Table([ada: User(name: "Ada")])), Pause())
  return Encounter(over: store, stoppedAt: .call(pause)) { _ in
    try? await add(store, pause)
  } outcome: { _, _ in
    "\(await store.users[ada]?.visits ?? 0) counted"
  }
}
