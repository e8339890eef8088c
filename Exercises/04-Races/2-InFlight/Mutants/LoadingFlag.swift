// Looks right: the flag is set before the await, and the others wait. Wrong: they wait by asking again and
// again, and nothing says that the download gets a turn.

extension Forecasts {
  // region downloads
  private var forecasts: [String: String] = [:]
  private var loading: Set<String> = []
  // endregion

  // region forecast
  /// The forecast for a city.
  ///
  /// - Throws: What the download threw. It is not kept: whoever asks later downloads again.
  func forecast(for city: String) async throws -> String {
    while loading.contains(city) { await Task.yield() }
    if let forecast = forecasts[city] { return forecast }
    loading.insert(city)
    defer { loading.remove(city) }
    let forecast = try await download(city)
    forecasts[city] = forecast
    return forecast
  }
  // endregion
}
