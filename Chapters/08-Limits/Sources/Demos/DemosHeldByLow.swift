import Synchronization
import Workbook

extension Demo {
  static let heldByLow = Demo(
    "held-by-low",
    asks: "Prefetches hold a gate. A visible photo comes, and other work: what is first?",
    sides: [
      .after(
        "one line",
        .surprising(
          "loaded after 10 jobs of other work", "a semaphore knows no holder, so it raises nobody"),
        .forbidden("loaded before other work")
      ) { _ in
        let gate = OneLine.PhotoGate(permits: 2)
        return await loadVisible { try await gate.load($0, $1) }
      }
      .code("PhotoGateOneLine.swift", "try await all.withPermit(body)"),
      .after(
        "a narrow gate before the gate",
        .allowed("loaded before other work", "a prefetch never has the last permit"),
        .forbidden("loaded after 10 jobs of other work")
      ) { _ in
        let gate = PhotoGate(permits: 2, prefetches: 1)
        return await loadVisible { try await gate.load($0, $1) }
      }
      .code("PhotoGate.swift", "case .prefetch"),
    ])
}

/// On one core two prefetches have begun when a visible photo comes, and with it other work, more urgent than they are.
///
/// - Returns: How much of that work was done when the visible photo was loaded.
private func loadVisible(
  _ load:
    @escaping @Sendable (
      Urgency, nonisolated(nonsending) () async throws -> Void
    ) async throws -> Void
) async -> String {
  let (core, work) = (OneCore(), OtherWork())
  let prefetches = (0..<2).map { _ in
    Task(executorPreference: core, priority: .background) {
      try await load(.prefetch) {
        for _ in 1...2 { await core.wait(2) }
      }
    }
  }
  let visible = Task(executorPreference: core, priority: .high) {
    // Both prefetches have come to the gate when the disk has answered.
    await core.wait(4)
    for _ in 1...10 {
      Task(executorPreference: core, priority: .utility) { work.note() }
    }
    try await load(.visible) { work.see() }
  }
  await blocking { core.run() }
  _ = await (prefetches[0].result, prefetches[1].result, visible.result)
  let count = work.seen
  return count == 0 ? "loaded before other work" : "loaded after \(count) jobs of other work"
}

/// How many jobs of other work are done, and how many were when somebody looked.
private final class OtherWork: Sendable {
  private let jobs = Mutex((done: 0, seen: -1))

  func note() { jobs.withLock { $0.done += 1 } }
  func see() { jobs.withLock { $0.seen = $0.done } }
  var seen: Int { jobs.withLock { $0.seen } }
}
