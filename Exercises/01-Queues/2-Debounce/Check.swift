import Interleaving
import InterleavingTesting
import Testing

@Test func `a text is searched for 300 ms after its key`() async {
  let story = "type s, 290 ms, search s, 310 ms, type sw, 290 ms, search sw, 310 ms"
  let exploration = await explore(
    stopsAtFailure: true, time: .passesWhenIdle, allowing: [story].contains
  ) { @MainActor in
    let screen = Screen()
    for text in ["s", "sw"] {
      screen.type(text)
      try await Task.sleep(for: .milliseconds(290))
      screen.note("290 ms")
      try await Task.sleep(for: .milliseconds(20))
      screen.note("310 ms")
    }
    return screen.story
  }
  exploration.expectNoFailures()
}

@Test func `a key calls off the search for the text before it`() async {
  let story = "type s, type sw, 100 ms, type s, 290 ms, search s"
  let exploration = await explore(
    stopsAtFailure: true, time: .passesWhenIdle, allowing: [story].contains
  ) { @MainActor in
    let screen = Screen()
    screen.type("s")
    screen.type("sw")
    try await Task.sleep(for: .milliseconds(100))
    screen.note("100 ms")
    screen.type("s")
    try await Task.sleep(for: .milliseconds(290))
    screen.note("290 ms")
    try await Task.sleep(for: .seconds(1))
    return screen.story
  }
  exploration.expectNoFailures()
}

@Test func `no search begins for a text that is no longer in the field`() async {
  let stories = ["type s, type sw, search sw", "type s, search s, type sw, search sw"]
  let exploration = await explore(stopsAtFailure: true, allowing: stories.contains) { @MainActor in
    let screen = Screen()
    screen.type("s")
    try await Task.sleep(for: .milliseconds(300))
    screen.type("sw")
    await screen.waitForSearch(for: "sw")
    return screen.story
  }
  exploration.expectNoFailures()
}

/// Writes down what is typed and what is searched for.
@MainActor
private final class Screen {
  private var events: [String] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private lazy var field = SearchField { [weak self] in self?.search($0) }

  var story: String { events.joined(separator: ", ") }

  func type(_ text: String) {
    note("type \(text)")
    field.textChanged(to: text)
  }

  func note(_ event: String) {
    events.append(event)
  }

  func waitForSearch(for text: String) async {
    guard events.last != "search \(text)" else { return }
    await withCheckedContinuation { waiting = $0 }
  }

  private func search(_ text: String) {
    note("search \(text)")
    guard text == "sw" else { return }
    waiting?.resume()
    waiting = nil
  }
}
