import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Lazily: Sendable {
  associatedtype Value
  init(_ make: @escaping @Sendable () async throws -> Value)
  func value() async throws -> Value
}

extension Once: Lazily {}

/// Makes 1, then 2 and so on: at once, or when it is opened. It listens to a cancellation only when it has made one.
private actor Maker {
  struct Failure: Error {}

  private(set) var calls = 0
  /// How many fail, from the first one on.
  private let failures: Int
  private var isOpen: Bool
  private var closed: [CheckedContinuation<Void, Never>] = []
  private var untilCalled: CheckedContinuation<Void, Never>?

  init(failures: Int = 0, isOpen: Bool = true) {
    self.failures = failures
    self.isOpen = isOpen
  }

  func make() async throws -> Int {
    calls += 1
    let number = calls
    untilCalled.take()?.resume()
    if !isOpen { await withCheckedContinuation { closed.append($0) } }
    try Task.checkCancellation()
    if number <= failures { throw Failure() }
    return number
  }

  func open() {
    isOpen = true
    for continuation in closed { continuation.resume() }
    closed = []
  }

  /// Waits until it is called for the first time.
  func isCalled() async {
    if calls == 0 { await withCheckedContinuation { untilCalled = $0 } }
  }
}

/// What a caller comes to.
private func answer(_ once: some Lazily) async -> String {
  do {
    return "\(try await once.value())"
  } catch is Maker.Failure {
    return "failure"
  } catch is CancellationError {
    return "cancelled"
  } catch {
    return "\(error)"
  }
}

/// Checks the outcome under every order with two preemptions at most. An answer that begins many tasks has too many
/// of them: then it is the first 400, and 200 that are drawn, the same each time.
private func expect(
  _ right: String..., time: VirtualTime = .passesAtAnyStep,
  of scenario: @escaping @Sendable () async throws -> String
) async {
  for (strategy, limit) in [
    (Strategy.preemptionBounded(2), 400), (.pct(seed: 1, depth: 3), 200),
  ] {
    let exploration = await explore(
      strategy, limit: limit, stopsAtFailure: true, steps: 300, time: time,
      allowing: right.contains, scenario: scenario)
    if exploration.failures.isEmpty, exploration.completeness == .scheduleLimit(limit) { continue }
    return exploration.expectNoFailures()
  }
}

@Test func `all who ask at once are given one value, which is made once`() async {
  await expect("1, 1, made 1") {
    let maker = Maker()
    let once = Once { try await maker.make() }
    async let first = answer(once)
    async let second = answer(once)
    return await "\(first), \(second), made \(maker.calls)"
  }
}

@Test func `it is kept for all who ask later`() async {
  await expect("1, 1, 1, made 1") {
    let maker = Maker()
    let once = Once { try await maker.make() }
    return await "\(answer(once)), \(answer(once)), \(answer(once)), made \(maker.calls)"
  }
}

@Test func `a failure is not kept, and the next caller has it tried again, once`() async {
  await expect("2, made 2") {
    let maker = Maker(failures: 1)
    let once = Once { try await maker.make() }
    async let first = [answer(once), answer(once)]
    async let second = answer(once)
    let others = Set(await first + [second]).subtracting(["failure", "2"]).sorted()
    let last = await "\(answer(once)), made \(maker.calls)"
    return others.isEmpty ? last : "\(last), and of those who asked before: \(others)"
  }
}

@Test func `nor is the second failure`() async {
  await expect("failure, failure, 3, made 3") {
    let maker = Maker(failures: 2)
    let once = Once { try await maker.make() }
    return await "\(answer(once)), \(answer(once)), \(answer(once)), made \(maker.calls)"
  }
}

@Test func `a caller that is cancelled goes at once, and the others get the value`() async {
  await expect("cancelled, 1, made 1") {
    let maker = Maker(isOpen: false)
    let once = Once { try await maker.make() }
    let leaver = Task(name: "leaver") { await answer(once) }
    let stayer = Task(name: "stayer") { await answer(once) }
    leaver.cancel()
    let left = await leaver.value
    await maker.open()
    return await "\(left), \(stayer.value), made \(maker.calls)"
  }
}

@Test func `one after the other may go, and the making goes on when nobody waits any more`() async {
  await expect("cancelled, cancelled, 1, made 1") {
    let maker = Maker(isOpen: false)
    let once = Once { try await maker.make() }
    let first = Task(name: "first") { await answer(once) }
    let second = Task(name: "second") { await answer(once) }
    await maker.isCalled()
    first.cancel()
    let left = await first.value
    second.cancel()
    let leftToo = await second.value
    await maker.open()
    return await "\(left), \(leftToo), \(answer(once)), made \(maker.calls)"
  }
}

@Test func `a failure is not kept either when nobody waits for it`() async {
  await expect("cancelled, 2, made 2", time: .passesWhenIdle) {
    let maker = Maker(failures: 1, isOpen: false)
    let once = Once { try await maker.make() }
    let leaver = Task(name: "leaver") { await answer(once) }
    await maker.isCalled()
    leaver.cancel()
    let left = await leaver.value
    await maker.open()
    try await Task.sleep(for: .seconds(1))  // time passes when nobody can go on
    return await "\(left), \(answer(once)), made \(maker.calls)"
  }
}

@Test func `a cancellation that comes as the value does harms nobody`() async {
  await expect("1, 1, made 1", "cancelled, 1, made 1") {
    let maker = Maker()
    let once = Once { try await maker.make() }
    let leaver = Task(name: "leaver") { await answer(once) }
    let stayer = Task(name: "stayer") { await answer(once) }
    leaver.cancel()
    return await "\(leaver.value), \(stayer.value), made \(maker.calls)"
  }
}
