/// Downloads the forecast of a city when it is first asked for, and keeps it: it holds all day, and
/// every screen that shows the city asks for it.
///
/// The check uses `init(download:)` and `forecast(for:)`.
actor Forecasts {
  private var forecasts: [String: String] = [:]

  /// Asks the weather service, which takes long and can fail. It stays as it is.
  private let download: @Sendable (_ city: String) async throws -> String

  init(download: @escaping @Sendable (_ city: String) async throws -> String) {
    self.download = download
  }

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
}
