// Looks right: nothing is silenced, and each property changes on the main actor. Wrong: each in a hop
// of its own, and between two hops the page is neither loading nor has a forecast.

/// What is behind a page with the weather; it has the page drawn after each change.
@MainActor
final class WeatherModel {
  private var isLoading = false
  private var forecast: String?
  private let fetch: @Sendable (String) async -> String
  private let draw: (String) -> Void

  init(fetch: @escaping @Sendable (String) async -> String, draw: @escaping (String) -> Void) {
    self.fetch = fetch
    self.draw = draw
  }

  var text: String { isLoading ? "loading" : forecast ?? "blank" }

  nonisolated func load(_ city: String) async {
    await setLoading(true)
    let forecast = await fetch(city)
    await setLoading(false)
    await setForecast(forecast)
  }

  private func setLoading(_ isLoading: Bool) {
    self.isLoading = isLoading
    draw(text)
  }

  private func setForecast(_ forecast: String) {
    self.forecast = forecast
    draw(text)
  }
}

/// The page itself, as its view controller has it.
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
