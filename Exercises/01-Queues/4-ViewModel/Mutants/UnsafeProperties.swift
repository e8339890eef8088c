// Looks right: the page is drawn on the main actor, and the compiler is content. Wrong: it was told
// not to look. What is drawn changes elsewhere, and after load was called.

/// What is behind a page with the weather; it has the page drawn after each change.
final class WeatherModel: Sendable {
  private nonisolated(unsafe) var isLoading = false
  private nonisolated(unsafe) var forecast: String?
  private let fetch: @Sendable (String) async -> String
  private nonisolated(unsafe) let draw: (String) -> Void

  init(fetch: @escaping @Sendable (String) async -> String, draw: @escaping (String) -> Void) {
    self.fetch = fetch
    self.draw = draw
  }

  var text: String { isLoading ? "loading" : forecast ?? "blank" }

  func load(_ city: String) async {
    isLoading = true
    await MainActor.run { draw(text) }
    forecast = await fetch(city)
    isLoading = false
    await MainActor.run { draw(text) }
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
