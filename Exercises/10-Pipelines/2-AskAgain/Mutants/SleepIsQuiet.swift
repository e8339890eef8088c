// Looks right: all errors are told apart. Wrong: the sleep of a cancelled task ends at once, and the loop asks again.

extension PageLoader {
  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  func page(_ name: String) async throws -> String {
    var pause = Duration.seconds(1)
    for _ in 1..<attempts {
      do {
        return try await client.page(name)
      } catch ServerError.busy(let retryAfter) {
        try? await Task.sleep(for: retryAfter ?? pause)
      } catch ServerError.lost {
        try? await Task.sleep(for: pause)
      }
      pause *= 2
    }
    return try await client.page(name)
  }
  // endregion
}
