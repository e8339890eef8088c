import ExerciseChecking
import Testing

@testable import Answer

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

private let some = Orders.upTo(classes: 80, preempted: 50, drawn: 60)

@Test func `all who ask at once are given one value, which is made once`() async {
  await everyOrder(gives: "1, 1, made 1", within: some) {
    let maker = Maker()
    let once = Once { try await maker.make() }
    async let first = answer(once)
    async let second = answer(once)
    return await "\(first), \(second), made \(maker.calls)"
  }
}

@Test func `so it is for three`() async {
  await everyOrder(gives: "1, 1, 1, made 1", within: some) {
    let maker = Maker()
    let once = Once { try await maker.make() }
    async let first = answer(once)
    async let second = answer(once)
    async let third = answer(once)
    return await "\(first), \(second), \(third), made \(maker.calls)"
  }
}

@Test func `it is kept for all who ask later`() async {
  await everyOrder(gives: "1, 1, 1, made 1", within: some) {
    let maker = Maker()
    let once = Once { try await maker.make() }
    return await "\(answer(once)), \(answer(once)), \(answer(once)), made \(maker.calls)"
  }
}

@Test func `a failure is not kept, and the next caller has it tried again, once`() async {
  await everyOrder(gives: "2, made 2", within: some) {
    let maker = Maker(failures: 1)
    let once = Once { try await maker.make() }
    async let first = [answer(once), answer(once)]
    async let second = answer(once)
    let others = Set(await first + [second]).subtracting(["failure", "2"]).sorted()
    let last = await "\(answer(once)), made \(maker.calls)"
    return others.isEmpty ? last : "\(last), and of those who asked before: \(others)"
  }
}

@Test func `who hears late of a failure does not undo what was begun since`() async {
  await everyOrder(gives: "2, 2, made 2", within: some, time: .passesWhenIdle) {
    let maker = Maker(failures: 1, isOpen: false)
    let once = Once { try await maker.make() }
    async let first = [answer(once), answer(once)]
    async let second = [answer(once), answer(once)]
    try await Task.sleep(for: .seconds(1))  // both wait by now
    await maker.open()
    let last = await [first[1], second[1]]
    return await "\(last[0]), \(last[1]), made \(maker.calls)"
  }
}

@Test func `nor is the second failure`() async {
  await everyOrder(gives: "failure, failure, 3, made 3", within: some) {
    let maker = Maker(failures: 2)
    let once = Once { try await maker.make() }
    return await "\(answer(once)), \(answer(once)), \(answer(once)), made \(maker.calls)"
  }
}

@Test func `a caller that is cancelled goes at once, and the others get the value`() async {
  await everyOrder(gives: "cancelled, 1, made 1", within: some) {
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
  await everyOrder(gives: "cancelled, cancelled, 1, made 1", within: some) {
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

@Test func `of three that wait, the one in the middle may go`() async {
  await everyOrder(gives: "1, cancelled, 1, made 1", within: some) {
    let maker = Maker(isOpen: false)
    let once = Once { try await maker.make() }
    let tasks = ["first", "second", "third"].map { Task(name: $0) { await answer(once) } }
    await maker.isCalled()
    tasks[1].cancel()
    let left = await tasks[1].value
    await maker.open()
    return await "\(tasks[0].value), \(left), \(tasks[2].value), made \(maker.calls)"
  }
}

@Test func `a failure is not kept either when nobody waits for it`() async {
  await everyOrder(gives: "cancelled, 2, made 2", within: some, time: .passesWhenIdle) {
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

@Test func `a caller that stays never gets the cancellation of another`() async {
  await everyOrder(gives: "2, made 2", "failure, made 1", within: some) {
    let maker = Maker(failures: 1, isOpen: false)
    let once = Once { try await maker.make() }
    let leaver = Task(name: "leaver") { await answer(once) }
    await maker.isCalled()
    leaver.cancel()
    await maker.open()
    let last = await answer(once)
    _ = await leaver.value
    return "\(last), made \(await maker.calls)"
  }
}

@Test func `a cancellation that comes as the value does harms nobody`() async {
  await everyOrder(gives: "1, 1, made 1", "cancelled, 1, made 1", within: some) {
    let maker = Maker()
    let once = Once { try await maker.make() }
    let leaver = Task(name: "leaver") { await answer(once) }
    let stayer = Task(name: "stayer") { await answer(once) }
    leaver.cancel()
    return await "\(leaver.value), \(stayer.value), made \(maker.calls)"
  }
}
