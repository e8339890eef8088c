extension Awaited {
  /// Nothing to infer: the function says itself where it runs.
  @MainActor
  enum Banner {
    @concurrent
    nonisolated static func prepare() async -> Place { .current }
  }
}
