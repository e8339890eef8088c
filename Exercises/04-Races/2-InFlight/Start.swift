extension Forecasts {
  // region downloads
  private var forecasts: [String: String] = [:]
  // endregion

  // region forecast
  // TODO: Download a city once, also when two ask for it at once, and again only after a failure.
  /// The forecast for a city.
  ///
  /// - Throws: What the download threw. It is not kept: whoever asks later downloads again.
  func forecast(for city: String) async throws -> String {
    if let forecast = forecasts[city] { return forecast }
    let forecast = try await download(city)
    forecasts[city] = forecast
    return forecast
  }
  // endregion
}
