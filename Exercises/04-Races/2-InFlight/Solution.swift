/// Downloads the forecast of a city when it is first asked for, and keeps it: it holds all day, and
/// every screen that shows the city asks for it.
///
/// The check uses `init(download:)` and `forecast(for:)`.
actor Forecasts {
  // region downloads
  private var downloads: [String: Task<String, any Error>] = [:]
  // endregion

  /// Asks the weather service, which takes long and can fail. It stays as it is.
  private let download: @Sendable (_ city: String) async throws -> String

  init(download: @escaping @Sendable (_ city: String) async throws -> String) {
    self.download = download
  }

  // region forecast
  /// The forecast for a city.
  ///
  /// - Throws: What the download threw. It is not kept: whoever asks later downloads again.
  func forecast(for city: String) async throws -> String {
    if let running = downloads[city] { return try await running.value }
    let task = Task {
      do {
        return try await download(city)
      } catch {
        downloads[city] = nil
        throw error
      }
    }
    downloads[city] = task
    return try await task.value
  }
  // endregion
}
