// Looks right: the attempts are over, and the error is thrown. Wrong: it is the error of the first attempt.

extension PageLoader {
  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  func page(_ name: String) async throws -> String {
    var (pause, first) = (Duration.seconds(1), ServerError?.none)
    for attempt in 1...attempts {
      do {
        return try await client.page(name)
      } catch let error as ServerError {
        if error == .notFound { throw error }
        first = first ?? error
        if attempt == attempts { break }
        if case .busy(let retryAfter?) = error {
          try await Task.sleep(for: retryAfter)
        } else {
          try await Task.sleep(for: pause)
        }
      }
      pause *= 2
    }
    throw first!
  }
  // endregion
}
