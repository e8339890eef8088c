// Looks right: not found is thrown, and everything else may pass. Wrong: a CancellationError of the client is taken for
// one more error that may pass.

extension PageLoader {
  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  func page(_ name: String) async throws -> String {
    var pause = Duration.seconds(1)
    var attempt = 1
    while true {
      do {
        return try await client.page(name)
      } catch ServerError.notFound {
        throw ServerError.notFound
      } catch {
        if attempt == attempts { throw error }
        attempt += 1
        if case ServerError.busy(let retryAfter?) = error {
          try await Task.sleep(for: retryAfter)
        } else {
          try await Task.sleep(for: pause)
        }
        pause *= 2
      }
    }
  }
  // endregion
}
