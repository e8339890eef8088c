import ChapterTesting
import Interleaving
import InterleavingTesting
import Testing
import Workbook

@testable import Timers

/// Timelines: a character is 10 ms, a letter is an element, | the end; the second line is what comes out.
struct Marbles: Sendable, CustomTestStringConvertible {
  let input: String
  let output: String

  var testDescription: String { input }

  init(_ input: String, _ output: String) {
    self.input = input
    self.output = output
  }

  static let debounced = [
    Marbles(
      "a-----|",
      "--a---|"),
    Marbles(
      "ab-----|",
      "---b---|"),
    Marbles(
      "abcdef---|",
      "-------f-|"),
    Marbles(
      "a--b--c--|",
      "--a--b--c|"),
    Marbles(
      "a---b---c|",
      "--a---b--(c|)"),
    Marbles(
      "aa-a-----a-----|",
      "-----a-----a---|"),
    Marbles(
      "-----|",
      "-----|"),
    Marbles(
      "|",
      "|"),
    Marbles(
      "-a|",
      "--(a|)"),
  ]

  static let throttled = [
    Marbles(
      "a-----|",
      "a-----|"),
    Marbles(
      "ab----|",
      "a-b---|"),
    Marbles(
      "abcdefg----|",
      "a-c-e-g----|"),
    Marbles(
      "a---b---c|",
      "a---b---c|"),
    Marbles(
      "ab--b-----a|",
      "a-b-b-----a|"),
    Marbles(
      "aaaa-aaaa|",
      "a-a-a-a--(a|)"),
    Marbles(
      "abc|",
      "a-c|"),
    Marbles(
      "ab|",
      "a-(b|)"),
    Marbles(
      "|",
      "|"),
  ]

  /// Those with few elements, which have few schedules.
  static func small(_ marbles: [Marbles]) -> [Marbles] {
    marbles.filter { $0.input.count(where: \.isLetter) < 3 }
  }
}

@Suite(.timeLimit(.minutes(30))) struct MarbleTests {
  /// No multiple of it is one of 10 ms, so nothing is due at the same time.
  static let span = Duration.milliseconds(23)

  // MARK: The rules alone

  @Test(arguments: Marbles.debounced)
  func `a debounce draws this`(_ marbles: Marbles) {
    #expect(Self.draw(marbles.input, Clocked.Debounce(for: Self.span)) == marbles.output)
  }

  @Test(arguments: Marbles.throttled)
  func `a throttle draws this`(_ marbles: Marbles) {
    #expect(Self.draw(marbles.input, Clocked.Throttle(every: Self.span)) == marbles.output)
  }

  private static func draw(_ input: String, _ rule: some TimedRule<Character>) -> String {
    var (rule, given) = (rule, [(Int, Character)]())
    for (index, character) in input.enumerated() {
      let now = Duration.milliseconds(10 * index)
      while let alarm = rule.alarm, alarm <= now {
        if let element = rule.wake(at: Moment(came: alarm, now: alarm)) {
          given.append((Int(alarm / .milliseconds(10)), element))
        }
      }
      switch character {
      case "-": break
      case "|": if let last = rule.end() { given.append((index, last)) }
      default:
        if let element = rule.take(character, at: Moment(came: now, now: now)) {
          given.append((index, element))
        }
      }
    }
    return line(given, end: input.count - 1)
  }

  @Test
  func `an element at the very end of a span comes behind it, whichever the loop hears of first`() {
    let end = Moment(came: Self.span, now: Self.span)
    var debounce = Clocked.Debounce<Character>(for: Self.span)
    #expect(debounce.take("a", at: Moment(came: .zero, now: .zero)) == nil)
    var other = debounce
    #expect(debounce.take("b", at: end) == "a")
    #expect(debounce.wake(at: end) == nil)
    #expect(other.wake(at: end) == "a")
    #expect(other.take("b", at: end) == nil)
    #expect(debounce.alarm == Self.span * 2 && other.alarm == Self.span * 2)
  }

  @Test func `a loop that was held up: a debounce goes by when elements came, a throttle by now`() {
    let moment = { (came: Int) in
      Moment(came: .milliseconds(came), now: .milliseconds(1_000 + came))
    }
    var debounce = Clocked.Debounce<Character>(for: Self.span)
    #expect(debounce.take("a", at: moment(0)) == nil)
    #expect(debounce.take("b", at: moment(10)) == nil)
    // The alarm of a, with one that came in time behind it.
    #expect(debounce.wake(at: moment(23)) == nil)
    #expect(debounce.take("c", at: moment(40)) == "b")
    #expect(debounce.wake(at: moment(63)) == "c")

    var throttle = Clocked.Throttle<Character>(every: Self.span)
    let now = Duration.seconds(1)
    #expect(throttle.take("a", at: Moment(came: .zero, now: now)) == "a")
    #expect(throttle.take("b", at: Moment(came: .milliseconds(50), now: now)) == nil)
    #expect(throttle.take("c", at: Moment(came: .milliseconds(100), now: now)) == nil)
    #expect(throttle.alarm == now + Self.span)
    #expect(throttle.wake(at: Moment(came: now + Self.span, now: now + Self.span)) == "c")
  }

  /// As in `a--(b|)`.
  private static func line(_ given: [(Int, Character)], end: Int) -> String {
    (0...end).map { index in
      let elements = given.filter { $0.0 == index }.map { String($0.1) }.joined()
      let all = elements + (index == end ? "|" : "")
      return all.isEmpty ? "-" : all.count == 1 ? all : "(\(all))"
    }.joined()
  }

  // MARK: The streams, under every schedule

  @Test(.explored, arguments: Marbles.small(Marbles.debounced))
  func `a debounced stream draws it under every schedule`(_ marbles: Marbles) async {
    await expect(marbles) { try $0.debounced(for: Self.span) }
  }

  @Test(.explored, arguments: Marbles.small(Marbles.throttled))
  func `a throttled stream draws it under every schedule`(_ marbles: Marbles) async {
    await expect(marbles) { try $0.throttled(every: Self.span) }
  }

  private func expect(
    _ marbles: Marbles,
    _ timed: @escaping @Sendable (AsyncStream<Character>) throws -> AsyncStream<Character>
  ) async {
    let exploration = await exploreAsIfWorkTookNoTime {
      let (input, inbox) = AsyncStream.makeStream(of: Character.self)
      let start = ContinuousClock.now
      let typing = Task {
        for (index, character) in marbles.input.enumerated() where character != "-" {
          try await Task.sleep(until: start + .milliseconds(10 * index))
          if character == "|" { inbox.finish() } else { inbox.yield(character) }
        }
      }
      var given: [(Int, Character)] = []
      for await element in try timed(input) {
        given.append((Int((ContinuousClock.now - start) / .milliseconds(10)), element))
      }
      try await typing.value
      return Self.line(given, end: marbles.input.count - 1)
    }
    #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == [marbles.output], "\(exploration)")
  }

  @Test(.explored) func `a reader that is slower than a throttle gets the newest`() async {
    let exploration = await exploreAsIfWorkTookNoTime {
      let (input, inbox) = AsyncStream.makeStream(of: Character.self)
      let typing = Task {
        for character in "abcdef" {
          inbox.yield(character)
          try await Task.sleep(for: Self.span * 2)
        }
        inbox.finish()
      }
      var given = ""
      for await element in try input.throttled(every: Self.span) {
        given.append(element)
        try await Task.sleep(for: .milliseconds(110))
      }
      try await typing.value
      return given
    }
    #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == ["acef"], "\(exploration)")
  }

  @Test func `a stream that nobody reads any more lets go of its input`() async throws {
    let (input, inbox) = AsyncStream.makeStream(of: Character.self)
    let (clock, isLetGo) = (VirtualClock(), Gate())
    inbox.onTermination = { _ in isLetGo.open() }
    let reader = Task {
      for await _ in try input.debounced(for: Self.span, on: clock) { break }
    }
    inbox.yield("a")
    await clock.waitForSleepers(1)
    clock.advance(by: Self.span)
    try await reader.value
    await isLetGo.wait()
  }
}
