extension OneLine {
  /// One line for all, first come, first served: what came for a prefetch goes before what is looked at.
  final class PhotoGate: Sendable {
    private let all: AsyncSemaphore

    init(permits: Int) { all = AsyncSemaphore(permits: permits) }

    nonisolated(nonsending) func load<Value>(
      _: Urgency, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
      try await all.withPermit(body)
    }
  }
}
