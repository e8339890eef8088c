// Looks right: the task is there from the first miss on, and all share it. Wrong: a task that has failed
// stays there as well, and fails for ever.

extension Forecasts {
  // region forecast
  /// The forecast for a city.
  ///
  /// - Throws: What the download threw. It is not kept: whoever asks later downloads again.
  func forecast(for city: String) async throws -> String {
    if let running = downloads[city] { return try await running.value }
    let task = Task { try await download(city) }
    downloads[city] = task
    return try await task.value
  }
  // endregion
}
