extension PageLoader {
  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  ///
  /// - Throws: The error of the last attempt. `CancellationError` if the caller is cancelled.
  func page(_ name: String) async throws -> String {
    // Was: queue.asyncAfter(deadline: .now() + 1) { self.page(name, then: completion) }
    // TODO: Ask again only where that may help, after the right pause, and not for a caller that is cancelled.
    while true {
      do {
        return try await client.page(name)
      } catch {
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
  // endregion
}
