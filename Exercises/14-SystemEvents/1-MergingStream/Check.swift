import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Marking: AsyncSequence<Parts, Never>, Sendable {
  init()
  func mark(_ parts: Parts)
  func finish()
}

extension DirtyParts: Marking {}

extension Parts {
  fileprivate static let title = Parts(rawValue: 1)
  fileprivate static let text = Parts(rawValue: 1 << 1)
  fileprivate static let pictures = Parts(rawValue: 1 << 2)
  fileprivate static let footer = Parts(rawValue: 1 << 63)

  /// As in “title+text”.
  fileprivate var words: String {
    let names: [(Parts, String)] = [
      (.title, "title"), (.text, "text"), (.pictures, "pictures"), (.footer, "footer"),
    ]
    let known = names.filter { contains($0.0) }.map(\.1)
    return known.isEmpty ? (isEmpty ? "nothing" : "\(rawValue)") : known.joined(separator: "+")
  }
}

/// What a loop gets, and when.
private final class Notes: Sendable {
  private let start = ContinuousClock.now
  private let notes = Mutex<[String]>([])

  var story: String { notes.withLock { $0 }.joined(separator: ", ") }

  func add(_ text: String) {
    let time = (ContinuousClock.now - start) / .seconds(1)
    notes.withLock { $0.append("\(text) at \(time)") }
  }

  /// Draws what is marked.
  ///
  /// - Parameters:
  ///   - count: How many elements it takes.
  ///   - taking: How long it draws each.
  ///   - draw: Is called for each.
  func draw(
    _ parts: some Marking, upTo count: Int = .max, taking time: Duration = .zero,
    _ draw: (Parts) -> Void = { _ in }
  ) async {
    var rest = count
    for await element in parts {
      add(element.words)
      draw(element)
      rest -= 1
      if rest == 0 { return add("left") }
      // A task that is cancelled draws on.
      if time > .zero { await Task { try? await Task.sleep(for: time) }.value }
    }
    add("end")
  }
}

private func sequence() -> some Marking { DirtyParts() }

/// Does things at times, in seconds, while a loop draws, and tells what it got.
@Sendable private func story(
  drawingTakes time: Duration = .zero, cancelledAt cancellation: Int? = nil,
  _ steps: (at: Int, do: @Sendable (any Marking) -> Void)...
) async throws -> String {
  let (notes, parts) = (Notes(), sequence())
  let start = ContinuousClock.now
  let loop = Task(name: "loop") { await notes.draw(parts, taking: time) }
  if let cancellation {
    Task(name: "user") {
      try await Task.sleep(until: start + .seconds(cancellation))
      loop.cancel()
    }
  }
  for step in steps {
    if step.at > 0 { try await Task.sleep(until: start + .seconds(step.at)) }
    step.do(parts)
  }
  await loop.value
  return notes.story
}

/// How often a loop gets each part, while others mark and finish.
@Sendable private func tally(
  _ users: (@Sendable (any Marking) -> Void)..., finally end: @Sendable (any Marking) -> Void
) async -> String {
  let parts = sequence()
  let loop = Task(name: "loop") {
    var elements: [Parts] = []
    for await element in parts { elements.append(element) }
    return elements
  }
  await withTaskGroup { group in
    for user in users { group.addTask { user(parts) } }
  }
  end(parts)
  let elements = await loop.value
  guard !elements.contains([]) else { return "an empty element" }
  return [Parts.title, .text, .pictures, .footer].map { part in
    "\(part.words) \(elements.count { $0.contains(part) })"
  }.joined(separator: ", ")
}

private let some = Orders.upTo(classes: 150, preempted: 80, drawn: 40)

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

@Test func `what is marked before the loop begins is one element`() async {
  await check("title at 0.0, end at 0.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.mark(.title)
    parts.finish()
    await notes.draw(parts)
    return notes.story
  }
  await check("title+text+footer at 0.0, end at 0.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.mark([.text, .footer])
    parts.mark(.title)
    parts.mark(.text)
    parts.finish()
    await notes.draw(parts)
    return notes.story
  }
}

@Test func `a loop that waits gets what is marked at once`() async {
  await check("title at 1.0, pictures at 3.0, pictures at 6.0, end at 7.0") {
    try await story(
      (1, { $0.mark(.title) }), (3, { $0.mark(.pictures) }), (6, { $0.mark(.pictures) }),
      (7, { $0.finish() }))
  }
}

@Test func `what is marked while the loop draws is one element, as soon as it asks`() async {
  await check(
    "title at 1.0, text+pictures+footer at 11.0, title at 21.0, footer at 40.0, end at 50.0"
  ) {
    try await story(
      drawingTakes: .seconds(10), (1, { $0.mark(.title) }), (2, { $0.mark(.text) }),
      (3, { $0.mark([.pictures, .footer]) }), (4, { $0.mark(.text) }), (5, { $0.mark(.footer) }),
      (12, { $0.mark(.title) }), (13, { $0.mark(.title) }), (40, { $0.mark(.footer) }),
      (45, { $0.finish() }))
  }
}

@Test func `a part that is marked again while it is drawn is given again`() async {
  await check("title at 1.0, title at 11.0, title+text at 21.0, end at 31.0") {
    try await story(
      drawingTakes: .seconds(10), (1, { $0.mark(.title) }), (2, { $0.mark(.title) }),
      (12, { $0.mark(.text) }), (13, { $0.mark(.title) }), (14, { $0.finish() }))
  }
}

@Test func `the loop itself may mark`() async {
  await check("title at 0.0, text+pictures at 0.0, footer at 0.0, end at 0.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.mark(.title)
    await notes.draw(parts) { element in
      switch element {
      case .title:
        parts.mark(.pictures)
        parts.mark(.text)
      case [.text, .pictures]:
        parts.mark(.footer)
        parts.finish()
      default: break
      }
    }
    return notes.story
  }
}

@Test func `an empty set marks nothing`() async {
  await check("title at 3.0, text at 13.0, end at 23.0") {
    try await story(
      drawingTakes: .seconds(10), (1, { $0.mark([]) }), (2, { $0.mark([]) }),
      (3, { $0.mark(.title) }), (4, { $0.mark([]) }), (5, { $0.mark(.text) }),
      (14, { $0.mark([]) }), (15, { $0.mark([]) }), (16, { $0.finish() }))
  }
  await check("end at 2.0") { try await story((1, { $0.mark([]) }), (2, { $0.finish() })) }
}

@Test func `no mark is lost and none is given twice, whoever marks and when`() async {
  await check("title 1, text 1, pictures 1, footer 1") {
    await tally(
      { $0.mark(.title) },
      {
        $0.mark(.text)
        $0.mark(.pictures)
      }, { $0.mark(.footer) }, finally: { $0.finish() })
  }
  await check("title 1, text 1, pictures 1, footer 0") {
    await tally {
      $0.mark(.title)
      $0.mark(.text)
      $0.mark(.pictures)
      $0.finish()
    }
  }
  await check("title 1, text 0, pictures 0, footer 0", "title 2, text 0, pictures 0, footer 0") {
    await tally({ $0.mark(.title) }, { $0.mark(.title) }, finally: { $0.finish() })
  }
}

@Test func `finish gives what is left as one element, and then the loop ends`() async {
  await check("title at 1.0, text+pictures at 11.0, end at 21.0") {
    try await story(
      drawingTakes: .seconds(10), (1, { $0.mark(.title) }), (2, { $0.mark(.text) }),
      (3, { $0.mark(.pictures) }), (4, { $0.finish() }), (5, { $0.finish() }))
  }
  await check("end at 4.0") { try await story((4, { $0.finish() }), (5, { $0.finish() })) }
  await check("end at 0.0") { try await story((0, { $0.finish() })) }
}

@Test func `what is marked behind finish is ignored`() async {
  await check("title at 1.0, text at 11.0, end at 21.0") {
    try await story(
      drawingTakes: .seconds(10), (1, { $0.mark(.title) }), (2, { $0.mark(.text) }),
      (3, { $0.finish() }), (4, { $0.mark(.pictures) }), (12, { $0.mark(.footer) }))
  }
  await check("title at 0.0, end at 0.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.mark(.title)
    parts.finish()
    parts.mark(.text)
    await notes.draw(parts)
    return notes.story
  }
  await check("end at 0.0, end at 0.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.finish()
    parts.mark(.title)
    await notes.draw(parts)
    parts.mark(.text)
    await notes.draw(parts)
    return notes.story
  }
}

@Test func `a mark that comes with finish is given or ignored`() async {
  await check("title 1, text 0, pictures 0, footer 0", "title 0, text 0, pictures 0, footer 0") {
    await tally({ $0.mark(.title) }, { $0.finish() }, finally: { _ in })
  }
}

@Test func `a loop that waits ends as soon as its task is cancelled`() async {
  await check("end at 5.0") {
    try await story(cancelledAt: 5, (7, { $0.mark(.title) }), (8, { $0.finish() }))
  }
  await check("title at 1.0, end at 5.0") {
    try await story(
      cancelledAt: 5, (1, { $0.mark(.title) }), (7, { $0.mark(.text) }), (8, { $0.mark(.text) }))
  }
}

@Test func `one that draws ends when it asks, and may get what was marked first`() async {
  await check("title at 1.0, end at 11.0") {
    try await story(
      drawingTakes: .seconds(10), cancelledAt: 5, (1, { $0.mark(.title) }), (8, { $0.mark([]) }))
  }
  await check(
    "title at 1.0, end at 11.0", "title at 1.0, text+pictures at 11.0, end at 21.0"
  ) {
    try await story(
      drawingTakes: .seconds(10), cancelledAt: 5, (1, { $0.mark(.title) }), (2, { $0.mark(.text) }),
      (3, { $0.mark(.pictures) }), (30, { $0.mark(.text) }))
  }
}

@Test func `it ends also if somebody marks again and again`() async {
  await check("title at 1.0, end at 11.0", "title at 1.0, text at 11.0, end at 21.0") {
    try await story(
      drawingTakes: .seconds(10), cancelledAt: 5, (1, { $0.mark(.title) }), (2, { $0.mark(.text) }),
      (15, { $0.mark(.pictures) }), (25, { $0.mark(.text) }), (35, { $0.mark(.pictures) }),
      (45, { $0.mark(.text) }))
  }
}

@Test func `a loop that is cancelled at any moment ends`() async {
  await check("ended") {
    let parts = sequence()
    let loop = Task(name: "loop") {
      for await _ in parts {}
    }
    loop.cancel()
    await loop.value
    parts.finish()
    return "ended"
  }
  await check("title 0", "title 1") {
    let parts = sequence()
    let loop = Task(name: "loop") {
      var count = 0
      for await element in parts { count += element == .title ? 1 : 100 }
      return count
    }
    let user = Task(name: "user") { parts.mark(.title) }
    loop.cancel()
    let count = await loop.value
    await user.value
    return "title \(count)"
  }
}

@Test func `a loop that is left takes nothing along, and the next one goes on`() async {
  await check("title at 0.0, left at 0.0, text+pictures at 0.0, end at 0.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.mark(.title)
    await notes.draw(parts, upTo: 1)
    parts.mark(.text)
    parts.mark(.pictures)
    parts.finish()
    await notes.draw(parts)
    return notes.story
  }
  await check("title at 0.0, left at 0.0, text at 2.0, left at 2.0, footer at 2.0, end at 9.0") {
    let (notes, parts) = (Notes(), sequence())
    parts.mark(.title)
    await notes.draw(parts, upTo: 1)
    let user = Task(name: "user") {
      try await Task.sleep(for: .seconds(2))
      parts.mark(.text)
    }
    await notes.draw(parts, upTo: 1)
    try await user.value
    parts.mark(.footer)
    Task(name: "user") {
      try await Task.sleep(for: .seconds(7))
      parts.finish()
    }
    await notes.draw(parts)
    return notes.story
  }
}
