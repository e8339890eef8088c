import ExerciseChecking
import Interleaving
import Testing

@testable import Answer

@Test func `the page says that it loads, and then the forecast`() async {
  await everyOrder(gives: "loading, sun in Oslo") { @MainActor in
    let window = Window()
    await window.open()
    return window.drawn.value
  }
}

@Test func `when load returns, the page has its forecast, each time`() async {
  let right = "loading, sun in Oslo, loading, sun in Rome, loading, rain in Oslo, rain in Oslo"
  await everyOrder(gives: right) { @MainActor in
    let window = Window()
    await window.open()
    await window.open("Rome")
    window.sky.value = "rain"
    await window.open()
    return "\(window.drawn.value), \(window.look())"
  }
}

@Test func `from the call of load on, the page is never blank`() async {
  await everyOrder(gives: "not called", "loading", "sun in Oslo") { @MainActor in
    let window = Window()
    let look = Task.detached(name: "look") { await window.look() }
    await window.open()
    return await look.value
  }
}

@Test func `nor is it when the task that loads is cancelled`() async {
  await everyOrder(gives: "loading, sun in Oslo, loading, sun in Rome") { @MainActor in
    let window = Window()
    for city in ["Oslo", "Rome"] {
      let load = Task(name: "load \(city)") { await window.open(city) }
      load.cancel()
      await load.value
    }
    return window.drawn.value
  }
}

@Test func `the page is drawn on the main actor`() async {
  await everyOrderEnds { @MainActor in
    let window = Window()
    let user = Task.detached(name: "user") { await window.type("h") }
    await window.open()
    await user.value
  }
}

/// What is on the screen, which belongs to the main actor.
@MainActor
private final class Window {
  let drawn = Shared("", "drawn")
  let sky = Shared("sun", "sky")
  private let called = Shared(false, "load called")
  private let seen = Shared("", "seen")
  private let page: WeatherPage

  init() {
    page = WeatherPage(
      fetch: { [sky] city in
        await Task.yield()
        return "\(sky.value) in \(city)"
      },
      draw: { [drawn] text in
        // It may be drawn again as it is.
        guard !drawn.value.hasSuffix(text) else { return }
        drawn.update { $0 += $0.isEmpty ? text : ", " + text }
      })
  }

  func open(_ city: String = "Oslo") async {
    called.value = true
    await page.open(city)
  }

  func look() -> String {
    let text = called.value ? page.text : "not called"
    seen.value = text
    return text
  }

  func type(_ key: String) {
    drawn.update { $0 += key }
  }
}
