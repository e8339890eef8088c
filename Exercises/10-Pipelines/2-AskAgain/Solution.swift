/// Why a server gives no page.
enum ServerError: Error, Hashable {
  /// It has too much to do; it may say how long it wants to be left alone.
  case busy(retryAfter: Duration?)
  /// The connection was lost.
  case lost
  /// There is no such page.
  case notFound
}

/// Gets a page from a server. It stays as it is.
protocol Client: Sendable {
  /// - Throws: A `ServerError`. When its task is cancelled it soon ends, and throws `CancellationError`.
  func page(_ name: String) async throws -> String
}

/// Gets pages from a server that has too much to do now and then.
///
/// The check uses `ServerError`, `Client`, `init(client:attempts:)` and `page(_:)`.
struct PageLoader: Sendable {
  private let client: any Client
  private let attempts: Int

  /// - Parameter attempts: How often a page is asked for at most; 1 or more.
  init(client: any Client, attempts: Int) {
    self.client = client
    self.attempts = attempts
  }

  // region page
  /// A page; it is asked for again, after a pause, where that may help.
  ///
  /// - Throws: The error of the last attempt. `CancellationError` if the caller is cancelled.
  func page(_ name: String) async throws -> String {
    var pause = Duration.seconds(1)
    for _ in 1..<attempts {
      do {
        return try await client.page(name)
      } catch ServerError.busy(let retryAfter) {
        try await Task.sleep(for: retryAfter ?? pause)
      } catch ServerError.lost {
        try await Task.sleep(for: pause)
      }
      pause *= 2
    }
    return try await client.page(name)
  }
  // endregion
}
