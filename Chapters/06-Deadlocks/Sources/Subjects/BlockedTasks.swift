import Foundation
import Workbook

extension Subject {
  static let blockedCooperativePool = Subject(
    "blocked-cooperative-pool",
    asks: "As many tasks as there are cores each block for a task of their own. Does that run?",
    right: .allowed("price 7"), .forbidden("price 0"),
    implementations: [
      .after("semaphore around a task", .deadlock("the pool has no further thread for them")) {
        stage in
        let catalogue = Waiting.Catalogue { _ in 7 }
        stage.aboutToBlock("semaphore.wait() on the cooperative pool")
        return await prices(meeting: true) { catalogue.price(of: "a") }
      }
      .code("CatalogueBlocking.swift", "done.signal()")
      .notExplored("the explorer has no cooperative pool: see blocked-main-actor")
      .watched(
        "blocking wait on the cooperative pool, confirmed: a task", "before the first one blocks"),
      .after("await") { _ in
        await prices { await Awaited.Catalogue { _ in 7 }.price(of: "a") }
      }
      .code("CatalogueAsync.swift", "func price")
      .notExplored("as above"),
      .after("synchronous, on threads of their own") { _ in
        await prices {
          await withCheckedContinuation { continuation in
            WaitingApart.Catalogue { _ in 7 }.printList(of: ["a"]) {
              continuation.resume(returning: $0[0])
            }
          }
        }
      }
      .code("CatalogueThread.swift", "func printList")
      .notExplored("as above"),
    ])

  static let blockedMainActor = Subject(
    "blocked-main-actor",
    asks: "On the main actor a price is waited for that comes from the main actor. What happens?",
    right: .allowed("price 7"), .forbidden("price 0"),
    implementations: [
      .after("semaphore around a task", .deadlock("the task needs the actor that waits for it")) {
        stage in
        let catalogue = Waiting.Catalogue { _ in await price() }
        stage.aboutToBlock("semaphore.wait() on the main actor")
        return "price \(await onMainActor { catalogue.price(of: "a") })"
      }
      .code("CatalogueBlocking.swift", "done.signal()")
      .alwaysWrong
      .watched("suspected: main", "a semaphore has no holder")
      .found(
        "scenario waits for DispatchSemaphore in price; task 1 waits for something unknown"),
      .after("await") { _ in
        "price \(await Awaited.Catalogue { _ in await price() }.price(of: "a"))"
      }
      .code("CatalogueAsync.swift", "func price"),
    ])
}

/// As many ask as the cooperative pool has workers; where that matters, all have one before any asks.
private func prices(
  meeting: Bool = false, _ ask: @escaping @Sendable () async -> Int
) async -> String {
  let width = ProcessInfo.processInfo.activeProcessorCount
  let line = StartLine(width)
  return await withTaskGroup { group in
    for _ in 0..<width {
      group.addTask {
        if meeting { line.wait() }
        return await ask()
      }
    }
    return "price \(await group.reduce(0, max))"
  }
}

@MainActor private func price() -> Int { 7 }

@MainActor private func onMainActor(_ ask: () -> Int) -> Int { ask() }
