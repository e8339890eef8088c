/// What is behind a page with the weather; it has the page drawn after each change.
@MainActor
final class WeatherModel {
  private var isLoading = false
  private var forecast: String?
  private let fetch: @Sendable (String) async -> String
  private let draw: (String) -> Void

  /// - Parameters:
  ///   - fetch: Asks a server; takes its time, and belongs to no actor.
  ///   - draw: Draws a text on the page; to be called on the main actor.
  init(fetch: @escaping @Sendable (String) async -> String, draw: @escaping (String) -> Void) {
    self.fetch = fetch
    self.draw = draw
  }

  /// What the page says: “blank” before the first load, and never again.
  var text: String { isLoading ? "loading" : forecast ?? "blank" }

  // region load
  /// Loads the forecast for a city, and returns when it is drawn.
  func load(_ city: String) async {
    isLoading = true
    draw(text)
    forecast = await fetch(city)
    isLoading = false
    draw(text)
  }
  // endregion
}

/// The page itself, as its view controller has it; leave it as it is.
///
/// The check uses `WeatherPage.init`, `open` and `text`.
@MainActor
final class WeatherPage {
  private let model: WeatherModel

  init(fetch: @escaping @Sendable (String) async -> String, draw: @escaping (String) -> Void) {
    model = WeatherModel(fetch: fetch, draw: draw)
  }

  var text: String { model.text }

  func open(_ city: String) async {
    await model.load(city)
  }
}
