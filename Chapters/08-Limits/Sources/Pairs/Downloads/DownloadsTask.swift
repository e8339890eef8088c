extension Gated {
  /// Bounded by a semaphore, which all callers of an app share.
  struct Downloads: Sendable {
    let gate: AsyncSemaphore
    let fetch: AsyncFetch

    func load(_ name: String) async throws -> [UInt8] {
      try await gate.withPermit { try await fetch(name) }
    }
  }
}
