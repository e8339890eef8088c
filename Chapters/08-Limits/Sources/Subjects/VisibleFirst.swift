import Synchronization
import Workbook

extension Subject {
  static let visibleFirst = Subject(
    "visible-first",
    asks: "Three prefetches come, two at a time, and then a visible photo. When is it loaded?",
    right: .allowed("at once"),
    implementations: [
      .after(
        "one line",
        .surprising("behind two prefetches", "a prefetch that waits passes before it, too")
      ) { _ in
        let gate = OneLine.PhotoGate(permits: 2)
        return await loadingOfVisible { try await gate.load($0, $1) }
      }
      .code("PhotoGateOneLine.swift", "try await all.withPermit(body)").alwaysWrong,
      .after("a narrow gate before the gate") { _ in
        let gate = PhotoGate(permits: 2, prefetches: 1)
        return await loadingOfVisible { try await gate.load($0, $1) }
      }
      .code("PhotoGate.swift", "case .prefetch"),
    ])
}

/// None has ended before all have come.
private func loadingOfVisible(
  _ load:
    @escaping @Sendable (
      Urgency, nonisolated(nonsending) () async throws -> Void
    ) async throws -> Void
) async -> String {
  let (begun, mayEnd) = (Begun(), Gate())
  let urgencies: [Urgency] = [.prefetch, .prefetch, .prefetch, .visible]
  let loads = urgencies.map { urgency in
    // Each is loading or in line before the next one comes.
    Task.immediate {
      try await load(urgency) {
        begun.add(urgency)
        await mayEnd.wait()
      }
    }
  }
  let isLoading = begun.isVisible
  mayEnd.open()
  for load in loads { _ = await load.result }
  return isLoading ? "at once" : begun.isVisible ? "behind two prefetches" : "never"
}

/// The loads that have begun.
private final class Begun: Sendable {
  private let loads = Mutex<[Urgency]>([])

  func add(_ urgency: Urgency) { loads.withLock { $0.append(urgency) } }

  /// Whether the visible photo is among them.
  var isVisible: Bool { loads.withLock { $0.contains(.visible) } }
}
