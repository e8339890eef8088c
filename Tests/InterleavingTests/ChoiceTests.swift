import Interleaving
import Testing

/// What a scenario has no power over goes each way.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ChoiceTests {
  private actor Line {
    private(set) var text = ""
    func add(_ word: String) { text += word }
  }

  /// Two tasks say what they choose to one actor, and the scenario chooses, too.
  @Sendable private static func say(choosing: Bool) async -> String {
    @Sendable func any(_ words: String...) -> String { choosing ? choose(from: words) : words[0] }
    let line = Line()
    async let letter: Void = line.add(any("a", "b"))
    async let digit: Void = line.add(any("1", "2", "3"))
    _ = await (letter, digit)
    return await line.text + any("x", "y")
  }

  private static let said: Set<String> = {
    let pairs = ["a", "b"].flatMap { letter in ["1", "2", "3"].map { (letter, $0) } }
    return Set(pairs.flatMap { [$0 + $1, $1 + $0] }.flatMap { [$0 + "x", $0 + "y"] })
  }()

  @Test(arguments: [Strategy.exhaustive, .preemptionBounded(2)])
  func `every schedule goes each way`(_ strategy: Strategy) async {
    let exploration = await explore(strategy) { await Self.say(choosing: true) }
    #expect(Set(exploration.outcomes.keys) == Self.said)
    #expect(exploration.failures.isEmpty, "\(exploration)")
  }

  @Test func `the reduction goes each way, once in each class of schedules`() async {
    let reduced = Strategy.reduced(assuming: .actorIsolation)
    let without = await explore(reduced) { await Self.say(choosing: false) }
    let exploration = await explore(reduced) { await Self.say(choosing: true) }
    #expect(exploration.isComplete, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == Self.said)
    #expect(exploration.schedules == 2 * 3 * 2 * without.schedules)
  }

  @Test(arguments: [Strategy.random(seed: 1), .pct(seed: 1, depth: 2)])
  func `schedules that are drawn go each way, too`(_ strategy: Strategy) async {
    let exploration = await explore(strategy, limit: 1_000) { await Self.say(choosing: true) }
    #expect(Set(exploration.outcomes.keys) == Self.said)
  }

  @Test(arguments: [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `a schedule says which way it went, and a trace shows it`(_ strategy: Strategy) async throws
  {
    let scenario = { @Sendable in await Self.say(choosing: true) }
    let exploration = await explore(strategy, allowing: { $0 != "3by" }, scenario: scenario)
    let failure = try #require(exploration.failures.first)
    let trace = try #require(failure.trace).text(width: 80)
    for choice in ["chooses 3, 3 of 3", "chooses b, 2 of 2", "chooses y, 2 of 2"] {
      #expect(trace.contains(choice), "\(trace)")
    }
    let schedule = try #require(failure.schedule)
    let again = try await replay(
      schedule.description, allowing: { $0 != "3by" }, scenario: scenario)
    #expect(again.failures.map(\.description) == [failure.description])
  }

  @Test func `what depends on a choice and on an order is found`() async throws {
    // A request that may fail is repeated, unless the screen has gone meanwhile.
    @Sendable func load() async -> String {
      let line = Line()
      async let request: Void = {
        if choose(from: [true, false]) { return await line.add("photo ") }
        await line.add("failed ")
        await line.add(choose(from: [true, false]) ? "photo " : "failed ")
      }()
      async let leave: Void = line.add("gone ")
      _ = await (request, leave)
      return await line.text
    }
    let expected: Set = [
      "photo gone ", "gone photo ", "failed photo gone ", "failed gone photo ",
      "gone failed photo ", "failed failed gone ", "failed gone failed ", "gone failed failed ",
    ]
    let all = await explore(scenario: load)
    let some = await explore(.reduced(assuming: .actorIsolation), scenario: load)
    #expect(Set(all.outcomes.keys) == expected && all.isComplete, "\(all)")
    #expect(Set(some.outcomes.keys) == expected && some.isComplete, "\(some)")
    #expect(some.schedules == expected.count)
  }

  @Test func `outside of an exploration it is the first`() {
    #expect(choose(from: [1, 2, 3]) == 1)
  }
}
