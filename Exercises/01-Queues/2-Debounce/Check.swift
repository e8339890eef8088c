import ExerciseChecking
import Testing

@testable import Answer

/// Types texts, each so many milliseconds after the first one, and tells what is searched for when.
@Sendable private func story(_ keys: (at: Int, text: String)...) async throws -> String {
  try await story(keys)
}

@MainActor private func story(_ keys: [(at: Int, text: String)]) async throws -> String {
  let screen = Screen()
  let start = ContinuousClock.now
  for (time, text) in keys {
    try await Task.sleep(until: start + .milliseconds(time))
    screen.type(text)
  }
  try await Task.sleep(for: .seconds(10))
  return screen.story
}

@Test func `a text is searched for 300 ms after its key`() async {
  await everyOrder(gives: "search s at 300", time: .passesWhenIdle) { try await story((0, "s")) }
}

@Test func `a key calls off the search for the text before it`() async {
  await everyOrder(gives: "search sw at 590", time: .passesWhenIdle) {
    try await story((0, "s"), (290, "sw"))
  }
  await everyOrder(gives: "search swi at 700", time: .passesWhenIdle) {
    try await story((0, "s"), (200, "sw"), (400, "swi"))
  }
}

@Test func `a key counts even if it leaves the text as it was`() async {
  await everyOrder(gives: "search s at 500", time: .passesWhenIdle) {
    try await story((0, "s"), (200, "s"))
  }
  await everyOrder(gives: "search s at 550", time: .passesWhenIdle) {
    try await story((0, "s"), (200, "sw"), (250, "s"))
  }
}

@Test func `each pause has its search, also for the same text again and for none`() async {
  let right = "search s at 300, search s at 1300, search nothing at 2300, search s at 3300"
  await everyOrder(gives: right, time: .passesWhenIdle) {
    try await story((0, "s"), (1_000, "s"), (2_000, ""), (3_000, "s"))
  }
}

@Test func `of many keys at once the last one counts`() async {
  await everyOrder(
    gives: "search 20 at 300", within: .upTo(classes: 20, preempted: 20, drawn: 20),
    steps: 2_000, time: .passesWhenIdle
  ) {
    try await story((1...20).map { (0, "\($0)") })
  }
}

@Test func `no search begins for a text that is no longer in the field`() async {
  await everyOrder(gives: "type s, type sw, search sw", "type s, search s, type sw, search sw") {
    @MainActor in
    let screen = Screen()
    screen.type("s", noting: true)
    try await Task.sleep(for: .milliseconds(300))
    screen.type("sw", noting: true)
    await screen.waitForSearch()
    return screen.story
  }
}

@Test func `nor is there one for the old key if it leaves the text as it was`() async {
  await everyOrder(
    gives: "type s, type s, search s", "type s, search s, type s, search s"
  ) { @MainActor in
    let screen = Screen()
    screen.type("s", noting: true)
    try await Task.sleep(for: .milliseconds(300))
    screen.type("s", noting: true)
    await screen.waitForSearch()
    // Another one may follow.
    try await Task.sleep(for: .seconds(10))
    return screen.story
  }
}

/// Writes down what is searched for.
@MainActor
private final class Screen {
  private let start = ContinuousClock.now
  private var events: [String] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private var isTimed = true
  private lazy var field = SearchField { [weak self] in self?.search($0) }

  var story: String { events.joined(separator: ", ") }

  /// - Parameter noting: Whether keys are written down, too, and then no times.
  func type(_ text: String, noting: Bool = false) {
    if noting {
      isTimed = false
      events.append("type \(text)")
    }
    field.textChanged(to: text)
  }

  /// Returns when the next search begins.
  func waitForSearch() async {
    await withCheckedContinuation { waiting = $0 }
  }

  private func search(_ text: String) {
    // To the next ten: a pause may be made of several.
    let time = Int((ContinuousClock.now - start) / .milliseconds(10)) * 10
    events.append("search \(text.isEmpty ? "nothing" : text)" + (isTimed ? " at \(time)" : ""))
    waiting?.resume()
    waiting = nil
  }
}
