// Looks right: it compiles, and the result comes back with MainActor.run, as it did with main.async.
// Wrong: load belongs to no actor, so it leaves the main actor before its first line.

/// What is behind a page with the weather; it has the page drawn after each change.
final class WeatherModel: @unchecked Sendable {
  private var isLoading = false
  private var forecast: String?
  private let fetch: @Sendable (String) async -> String
  private let draw: (String) -> Void

  init(fetch: @escaping @Sendable (String) async -> String, draw: @escaping (String) -> Void) {
    self.fetch = fetch
    self.draw = draw
  }

  var text: String { isLoading ? "loading" : forecast ?? "blank" }

  func load(_ city: String) async {
    isLoading = true
    draw(text)
    let forecast = await fetch(city)
    await MainActor.run {
      self.forecast = forecast
      isLoading = false
      draw(text)
    }
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
