import Interleaving
import InterleavingTesting
import Testing

@Test func `the page says that it loads, and then the forecast`() async {
  let exploration = await explore(stopsAtFailure: true, allowing: ["loading, sun in Oslo"].contains)
  { @MainActor in
    let window = Window()
    await window.open()
    return window.drawn.value
  }
  exploration.expectNoFailures()
}

@Test func `whoever looks once load was called sees no blank page`() async {
  let texts = ["not called", "loading", "sun in Oslo"]
  let exploration = await explore(stopsAtFailure: true, allowing: texts.contains) { @MainActor in
    let window = Window()
    let look = Task.detached(name: "look") { await window.look() }
    await window.open()
    return await look.value
  }
  exploration.expectNoFailures()
}

@Test func `the page is drawn on the main actor`() async {
  let exploration = await explore { @MainActor in
    let window = Window()
    let user = Task.detached(name: "user") { await window.type("h") }
    await window.open()
    await user.value
  }
  exploration.expectNoFailures()
}

/// What is on the screen, which belongs to the main actor.
@MainActor
private final class Window {
  let drawn = Shared("", "drawn")
  private let called = Shared(false, "load called")
  private let seen = Shared("", "seen")
  private let page: WeatherPage

  init() {
    page = WeatherPage(
      fetch: { city in
        await Task.yield()
        return "sun in \(city)"
      },
      draw: { [drawn] text in
        guard !drawn.value.hasSuffix(text) else { return }
        drawn.update { $0 += $0.isEmpty ? text : ", " + text }
      })
  }

  func open() async {
    called.value = true
    await page.open("Oslo")
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
