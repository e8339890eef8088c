// Looks right: an error, a pause, and again. Wrong: there is a pause behind the last attempt, too.

extension PageLoader {
  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  func page(_ name: String) async throws -> String {
    var (pause, last) = (Duration.seconds(1), ServerError.lost)
    for _ in 1...attempts {
      do {
        return try await client.page(name)
      } catch ServerError.busy(let retryAfter) {
        last = .busy(retryAfter: retryAfter)
        try await Task.sleep(for: retryAfter ?? pause)
      } catch ServerError.lost {
        last = .lost
        try await Task.sleep(for: pause)
      }
      pause *= 2
    }
    throw last
  }
  // endregion
}
