// Looks right: nothing is silenced, and each property changes on the main actor. Wrong: each in a hop
// of its own, and between two hops the page is neither loading nor has a forecast.

extension WeatherModel {
  // region load
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
  // endregion
}
