// Looks right: after the download it looks whether another was faster. Wrong: by then it has downloaded,
// too.

extension Forecasts {
  // region downloads
  private var forecasts: [String: String] = [:]
  // endregion

  // region forecast
  /// The forecast for a city.
  ///
  /// - Throws: What the download threw. It is not kept: whoever asks later downloads again.
  func forecast(for city: String) async throws -> String {
    if let forecast = forecasts[city] { return forecast }
    let forecast = try await download(city)
    if let earlier = forecasts[city] { return earlier }
    forecasts[city] = forecast
    return forecast
  }
  // endregion
}
