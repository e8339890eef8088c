// Looks right: whoever sees the failure removes the task. Wrong: all who waited do so, and the last of them
// removes the task of somebody who has begun again.

extension Forecasts {
  // region forecast
  /// The forecast for a city.
  ///
  /// - Throws: What the download threw. It is not kept: whoever asks later downloads again.
  func forecast(for city: String) async throws -> String {
    let task = downloads[city] ?? Task { try await download(city) }
    downloads[city] = task
    do {
      return try await task.value
    } catch {
      downloads[city] = nil
      throw error
    }
  }
  // endregion
}
