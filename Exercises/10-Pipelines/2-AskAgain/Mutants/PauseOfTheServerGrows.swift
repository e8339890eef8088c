// Looks right: the server's pause takes the place of the next one. Wrong: the pauses behind it grow from there.

extension PageLoader {
  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  func page(_ name: String) async throws -> String {
    var pause = Duration.seconds(1)
    for _ in 1..<attempts {
      do {
        return try await client.page(name)
      } catch ServerError.busy(let retryAfter) {
        pause = retryAfter ?? pause
      } catch ServerError.lost {}
      try await Task.sleep(for: pause)
      pause *= 2
    }
    return try await client.page(name)
  }
  // endregion
}
