import Dispatch
import Workbook

extension Subject {
  static let contentAdded = Subject(
    "content-added",
    asks: "The grid is told that a photo was added, and reads. Is the photo there?",
    right: .allowed("it is there"),
    implementations: [
      .before("barrier, then a notice on main") { _ in
        let isTold = DispatchSemaphore(value: 0)
        let manager = Barriered.PhotoManager { isTold.signal() }
        manager.add(1)
        isTold.wait()
        return manager.ids == [1] ? "it is there" : "it is missing"
      }
      .code("PhotoManagerBarrier.swift", "queue.async(flags"),
      .after("actor and stream, yielded in the same step") { _ in
        let manager = Isolated.PhotoManager()
        let notices = manager.additions.stream()
        async let seen = idsWhenTold(of: notices, manager)
        await manager.add(1)
        return await seen
      }
      .code("PhotoManagerActor.swift", "func addPhoto"),
      .after("Mutex and stream, yielded after it") { _ in
        let manager = Mutexed.PhotoManager()
        let notices = manager.additions.stream()
        async let seen = idsWhenTold(of: notices, manager)
        manager.add(1)
        return await seen
      }
      .code("PhotoManagerMutex.swift", "stored.withLock"),
      .after(
        "actor and stream, yielded beside the task",
        .surprising(
          "it is missing", "the notice is sent when the task is made, not when it is done")
      ) { _ in
        let manager = Unawaited.PhotoManager()
        async let seen = idsWhenTold(of: manager.additions, manager)
        manager.add(1)
        return await seen
      }
      .code("PhotoManagerUnawaited.swift", "nonisolated func addPhoto")
      .notPlayed("when the task begins is up to the pool"),
    ])
}

private func idsWhenTold(
  of notices: AsyncStream<Void>, _ manager: some Managing
) async -> String {
  for await _ in notices { break }
  return await manager.ids == [1] ? "it is there" : "it is missing"
}
