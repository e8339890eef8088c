import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

private typealias Texts = AsyncThrowingStream<String, any Error>

private struct Failure: Error {}

/// A clock that says when a sleeper wakes, while the sleeper goes on.
private struct AlarmClock: Clock {
  let woken: @Sendable () -> Void

  var now: ContinuousClock.Instant { .now }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try await Task.sleep(until: deadline)
    woken()
  }
}

/// What happens to the input, each so many milliseconds after the beginning.
private enum Event {
  case text(String)
  case end
  case failure
}

/// What a loop over the output gets, and when, and when the input is ended by it.
private final class Notes: Sendable {
  private let start = ContinuousClock.now
  private let notes = Mutex<[String]>([])

  var story: String { notes.withLock { $0 }.joined(separator: ", ") }

  func add(_ text: String) {
    let time = Int((ContinuousClock.now - start) / .milliseconds(1))
    notes.withLock { $0.append("\(text) at \(time)") }
  }

  /// Loops over the texts, and takes so long for each.
  func take(
    _ texts: Texts, on clock: some Clock<Duration> = ContinuousClock(), upTo count: Int = .max,
    working: Duration = .zero
  ) async {
    var rest = count
    do {
      for try await text in texts.debounced(for: .milliseconds(300), on: clock) {
        add(text)
        rest -= 1
        if rest == 0 { break }
        if working > .zero { try await Task.sleep(for: working) }
      }
      add(rest == 0 ? "left" : "end")
    } catch {
      add(error is Failure ? "failure" : "\(type(of: error))")
    }
  }
}

/// The texts of somebody who types.
private func typed(
  _ events: [(at: Int, event: Event)], terminated: @escaping @Sendable () -> Void = {}
) -> (Texts, Task<Void, any Error>) {
  let (texts, input) = Texts.makeStream()
  input.onTermination = { reason in
    if case .cancelled = reason { terminated() }
  }
  let start = ContinuousClock.now
  let typist = Task(name: "typist") {
    for (time, event) in events {
      if time > 0 { try await Task.sleep(until: start + .milliseconds(time)) }
      switch event {
      case .text(let text): input.yield(text)
      case .end: input.finish()
      case .failure: input.finish(throwing: Failure())
      }
    }
  }
  return (texts, typist)
}

@Sendable private func story(
  _ events: (at: Int, event: Event)..., working: Duration = .zero
) async throws -> String {
  let notes = Notes()
  let (texts, typist) = typed(events)
  await notes.take(texts, working: working)
  try await typist.value
  // More may follow.
  try await Task.sleep(for: .seconds(10))
  return notes.story
}

/// What comes of the text `s` if something happens while its sleeper wakes.
@Sendable private func storyOfWaking(_ event: Event) async throws -> String {
  let notes = Notes()
  let (texts, input) = Texts.makeStream()
  let (wakes, alarm) = AsyncStream.makeStream(of: Void.self)
  let typist = Task(name: "typist") {
    input.yield("s")
    for await _ in wakes { break }
    switch event {
    case .text(let text):
      input.yield(text)
      try await Task.sleep(for: .seconds(2))
      input.finish()
    case .end: input.finish()
    case .failure: input.finish(throwing: Failure())
    }
  }
  await notes.take(texts, on: AlarmClock { alarm.yield() })
  try await typist.value
  try await Task.sleep(for: .seconds(10))
  return notes.story
}

private let some = Orders.upTo(classes: 100, preempted: 60, drawn: 40)

/// - Parameter other: What is right, too.
private func check(
  _ right: String, _ other: String? = nil,
  _ scenario: @escaping @Sendable () async throws -> String
) async {
  guard let other else {
    return await everyOrder(
      gives: right, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
  }
  await everyOrder(
    gives: right, other, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
}

@Test func `an element is given when it was followed by quiet, once`() async {
  await check("s at 300, end at 1000") {
    try await story((0, .text("s")), (1_000, .end))
  }
  await check("s at 300, sea at 1400, s at 2200, end at 4000") {
    try await story(
      (0, .text("s")), (1_100, .text("sea")), (1_900, .text("s")), (4_000, .end))
  }
}

@Test func `a newer element replaces the one that waits, and its time begins anew`() async {
  await check("sw at 590, end at 2000") {
    try await story((0, .text("s")), (290, .text("sw")), (2_000, .end))
  }
  await check("swi at 700, end at 2000") {
    try await story((0, .text("s")), (200, .text("sw")), (400, .text("swi")), (2_000, .end))
  }
}

@Test func `so does one that is equal to it`() async {
  await check("s at 500, end at 2000") {
    try await story((0, .text("s")), (200, .text("s")), (2_000, .end))
  }
  await check("s at 550, s at 1300, end at 2000") {
    try await story(
      (0, .text("s")), (200, .text("sw")), (250, .text("s")), (1_000, .text("s")), (2_000, .end))
  }
}

@Test func `of twenty at once the last one is given`() async {
  let right = "20 at 300, 40 at 800, end at 2000"
  await everyOrder(
    gives: right, within: .upTo(classes: 10, preempted: 10, drawn: 10), steps: 5_000,
    time: .passesWhenIdle
  ) {
    let notes = Notes()
    let burst = (1...20).map { (at: 0, event: Event.text("\($0)")) }
    let later = (21...40).map { (at: 500, event: Event.text("\($0)")) }
    let (texts, typist) = typed(burst + later + [(2_000, .end)])
    await notes.take(texts)
    try await typist.value
    return notes.story
  }
}

@Test func `one that is due when a newer one comes is given before it or not at all`() async {
  await check("s at 300, sw at 600, end at 2000", "sw at 600, end at 2000") {
    try await story((0, .text("s")), (300, .text("sw")), (2_000, .end))
  }
  await check("s at 300, sw at 600, end at 2300", "sw at 600, end at 2300") {
    try await storyOfWaking(.text("sw"))
  }
}

@Test func `when the input ends, the one that waits is given at once`() async {
  await check("s at 100, end at 100") { try await story((0, .text("s")), (100, .end)) }
  await check("sw at 250, end at 250") {
    try await story((0, .text("s")), (200, .text("sw")), (250, .end))
  }
  await check("s at 300, s at 600, end at 600") {
    try await story((0, .text("s")), (500, .text("s")), (600, .end))
  }
}

@Test func `it is given once, also if it is due at that moment`() async {
  await check("s at 300, end at 300") { try await story((0, .text("s")), (300, .end)) }
  await check("s at 300, end at 300") { try await storyOfWaking(.end) }
}

@Test func `an input without elements ends the output at once`() async {
  await check("end at 0") { try await story((0, .end)) }
  await check("end at 200") { try await story((200, .end)) }
}

@Test func `when the input throws, so does the output, at once`() async {
  await check("failure at 100") { try await story((0, .text("s")), (100, .failure)) }
  await check("s at 300, failure at 600") {
    try await story((0, .text("s")), (500, .text("sw")), (600, .failure))
  }
  await check("failure at 0") { try await story((0, .failure)) }
}

@Test func `one that is due when the input throws is given before the error or not at all`() async {
  await check("s at 300, failure at 300", "failure at 300") {
    try await story((0, .text("s")), (300, .failure))
  }
  await check("s at 300, failure at 300", "failure at 300") {
    try await storyOfWaking(.failure)
  }
}

@Test func `a loop that takes long gets all that were followed by quiet`() async {
  await check("a at 300, c at 2300, d at 4300, end at 6300") {
    try await story(
      (0, .text("a")), (500, .text("b")), (600, .text("c")), (1_000, .text("d")), (1_200, .end),
      working: .seconds(2))
  }
}

@Test
func
  `a loop whose task is cancelled ends at once, without the one that waits, and so does the input`()
  async
{
  await check("input ended at 100, end at 100", "end at 100, input ended at 100") {
    let notes = Notes()
    let (texts, typist) = typed([(0, .text("s")), (2_000, .text("sw"))]) {
      notes.add("input ended")
    }
    let loop = Task(name: "loop") { await notes.take(texts) }
    try await Task.sleep(for: .milliseconds(100))
    loop.cancel()
    await loop.value
    try await typist.value
    try await Task.sleep(for: .seconds(10))
    return notes.story
  }
}

@Test func `a loop that is left ends the input at once`() async {
  await check(
    "s at 300, input ended at 300, left at 300", "s at 300, left at 300, input ended at 300"
  ) {
    let notes = Notes()
    let (texts, typist) = typed([(0, .text("s")), (2_000, .text("sw")), (3_000, .text("swi"))]) {
      notes.add("input ended")
    }
    await notes.take(texts, upTo: 1)
    try await typist.value
    try await Task.sleep(for: .seconds(10))
    return notes.story
  }
}
