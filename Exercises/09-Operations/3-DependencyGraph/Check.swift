import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// How the work of a step goes.
private enum Kind: Equatable {
  /// Gives a value.
  case done
  /// Gives one when another step has begun, and not before.
  case waits(for: String)
  case fails
  /// Fails with the error that a cancelled task has, though nobody has cancelled it.
  case givesUp
  /// Does not end before it is cancelled.
  case hangs
}

private struct StepError: Error {
  let step: String
}

/// A step, as a test has it.
private struct Plan {
  let name: String
  let dependencies: [String]
  let kind: Kind

  init(_ name: String, needs dependencies: String..., kind: Kind = .done) {
    self.name = name
    self.dependencies = dependencies
    self.kind = kind
  }
}

/// What is at work, and what was.
private final class Work: Sendable {
  private struct Log: Sendable {
    var begun: [String] = []
    var running: [String] = []
    var ended: Set<String> = []
    var most = 0
    var wrong: [String] = []
  }

  private let log = Mutex(Log())
  private typealias Signal = (
    stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation
  )
  /// Of those that others wait for.
  private let hasBegun: [String: Signal]
  private let plans: [Plan]

  init(_ plans: [Plan]) {
    self.plans = plans
    var hasBegun: [String: Signal] = [:]
    for case .waits(let name) in plans.map(\.kind) where hasBegun[name] == nil {
      hasBegun[name] = AsyncStream.makeStream(of: Void.self)
    }
    self.hasBegun = hasBegun
  }

  var steps: [Step<String>] {
    plans.map { plan in
      Step(name: plan.name, dependencies: plan.dependencies) { values in
        try await self.work(plan, values)
      }
    }
  }

  private func work(_ plan: Plan, _ values: [String: String]) async throws -> String {
    log.withLock { log in
      for name in plan.dependencies where !log.ended.contains(name) {
        log.wrong.append("\(plan.name) begins before \(name) has ended")
      }
      if log.begun.contains(plan.name) { log.wrong.append("\(plan.name) begins again") }
      log.begun.append(plan.name)
      log.running.append(plan.name)
      log.most = max(log.most, log.running.count)
    }
    hasBegun[plan.name]?.continuation.finish()
    defer {
      log.withLock { log in
        log.running.removeAll { $0 == plan.name }
        log.ended.insert(plan.name)
      }
    }
    switch plan.kind {
    case .done: break
    case .waits(let name):
      if let stream = hasBegun[name]?.stream { for await _ in stream {} }
      try Task.checkCancellation()
    case .fails: throw StepError(step: plan.name)
    case .givesUp: throw CancellationError()
    case .hangs:
      await untilCancelled()
      throw CancellationError()
    }
    let needed = plan.dependencies.map { values[$0] ?? "nothing" }
    return plan.name.lowercased() + (needed.isEmpty ? "" : "(\(needed.joined(separator: " ")))")
  }

  /// What came of it, then what should not be.
  func words(atMost width: Int) async -> String {
    var words: [String]
    var isRefused = false
    do {
      let outcomes = try await run(steps, atMost: width)
      words = outcomes.sorted { $0.key < $1.key }.map { "\($0): \(text($1))" }
    } catch PlanError.missing(let name, let step) {
      (words, isRefused) = (["\(step) needs \(name)"], true)
    } catch PlanError.cycle(let names) {
      (words, isRefused) = (["cycle of \(fromFirst(names))"], true)
    } catch is CancellationError {
      words = ["cancelled"]
    } catch {
      words = ["\(error)"]
    }
    let log = log.withLock(\.self)
    words += log.wrong
    if log.most > width { words.append("\(log.most) at once") }
    if isRefused { words += log.begun.sorted().map { "\($0) has begun" } }
    words += log.running.sorted().map { "\($0) is still at work" }
    return words.joined(separator: ", ")
  }

  /// How many have begun.
  var begun: Int { log.withLock { $0.begun.count } }
}

private func text(_ outcome: Outcome<String>) -> String {
  switch outcome {
  case .value(let value): value
  case .failed: "failed"
  case .notBegun: "not begun"
  }
}

/// The names of a cycle, from the one that comes first in the alphabet.
private func fromFirst(_ names: [String]) -> String {
  guard let first = names.min(), let index = names.firstIndex(of: first) else { return "nothing" }
  return (names[index...] + names[..<index]).joined(separator: " ")
}

/// Returns when the task is cancelled.
private func untilCancelled() async {
  let state = Mutex((isCancelled: false, waiter: CheckedContinuation<Void, Never>?.none))
  await withTaskCancellationHandler {
    await withCheckedContinuation { waiter in
      let isCancelled = state.withLock { state in
        if !state.isCancelled { state.waiter = waiter }
        return state.isCancelled
      }
      if isCancelled { waiter.resume() }
    }
  } onCancel: {
    let waiter = state.withLock { state in
      state.isCancelled = true
      return state.waiter
    }
    waiter?.resume()
  }
}

private let some = Orders.upTo(classes: 60, preempted: 40, drawn: 30)

/// What comes of some steps.
@Sendable private func words(_ plans: [Plan], atMost width: Int) async -> String {
  await Work(plans).words(atMost: width)
}

/// What comes of some steps whose caller is cancelled.
///
/// - Parameter most: How many may have begun.
@Sendable private func wordsIfCancelled(
  _ plans: [Plan], atMost width: Int, most: Int
) async -> String {
  let work = Work(plans)
  let caller = Task(name: "caller") { await work.words(atMost: width) }
  caller.cancel()
  let words = await caller.value
  return work.begun > most ? "\(words), and \(work.begun) have begun" : words
}

@Test func `a step begins when its dependencies have ended, and gets their values`() async {
  await everyOrder(gives: "A: a, B: b(a), C: c(b(a))", within: some) {
    await words([Plan("C", needs: "B"), Plan("B", needs: "A"), Plan("A")], atMost: 2)
  }
  await everyOrder(gives: "A: a, B: b, C: c(a b)", within: some) {
    await words([Plan("A"), Plan("C", needs: "A", "B"), Plan("B")], atMost: 3)
  }
}

@Test func `two steps may depend on one, and a step on both of them`() async {
  await everyOrder(gives: "A: a, B: b(a), C: c(a), D: d(b(a) c(a))", within: some) {
    await words(
      [Plan("D", needs: "B", "C"), Plan("C", needs: "A"), Plan("B", needs: "A"), Plan("A")],
      atMost: 2)
  }
}

@Test func `a dependency may be named twice`() async {
  await everyOrder(gives: "A: a, B: b(a a)", within: some) {
    await words([Plan("B", needs: "A", "A"), Plan("A")], atMost: 2)
  }
}

@Test func `no more are at work than the width says, and a step that waits takes no place`() async {
  await everyOrder(gives: "A: a, B: b, C: c", within: some) {
    await words([Plan("A"), Plan("B"), Plan("C")], atMost: 2)
  }
  await everyOrder(gives: "A: a, B: b(a), C: c(b(a))", within: some) {
    await words([Plan("C", needs: "B"), Plan("B", needs: "A"), Plan("A")], atMost: 1)
  }
}

@Test func `as soon as there is a place, a step that can begin does, whatever else is at work`()
  async
{
  await everyOrder(gives: "A: a, B: b, C: c(b)", within: some) {
    await words(
      [Plan("A", kind: .waits(for: "C")), Plan("B"), Plan("C", needs: "B")], atMost: 2)
  }
  await everyOrder(gives: "A: a, B: b(a), C: c", within: some) {
    await words(
      [Plan("A", kind: .waits(for: "C")), Plan("B", needs: "A"), Plan("C")], atMost: 2)
  }
  await everyOrder(gives: "A: a, B: b, C: c", within: some) {
    await words([Plan("B"), Plan("A", kind: .waits(for: "C")), Plan("C")], atMost: 2)
  }
  await everyOrder(gives: "A: a, B: b, C: c", within: some) {
    let (a, b) = (Plan("A", kind: .waits(for: "C")), Plan("B", kind: .waits(for: "C")))
    return await words([a, b, Plan("C")], atMost: 3)
  }
  await everyOrder(gives: "A: a, B: b(a), C: c(a)", within: some) {
    await words(
      [Plan("A"), Plan("B", needs: "A", kind: .waits(for: "C")), Plan("C", needs: "A")], atMost: 2)
  }
}

@Test func `seven steps, three at once`() async {
  let right = "A: a, B: b(a), C: c(a), D: d, E: e(b(a) d), F: f, G: g(e(b(a) d) f)"
  await everyOrder(
    gives: right, within: .upTo(classes: 20, preempted: 20, drawn: 20), steps: 1_000
  ) {
    await words(
      [
        Plan("G", needs: "E", "F"), Plan("F"), Plan("E", needs: "B", "D"),
        Plan("D", kind: .waits(for: "C")), Plan("C", needs: "A"), Plan("B", needs: "A"), Plan("A"),
      ], atMost: 3)
  }
}

@Test func `a cycle is refused, and nothing begins`() async {
  await everyOrder(gives: "cycle of A B", within: some) {
    await words([Plan("C"), Plan("A", needs: "B"), Plan("B", needs: "A")], atMost: 2)
  }
  await everyOrder(gives: "cycle of A", within: some) {
    await words([Plan("A", needs: "A"), Plan("B")], atMost: 2)
  }
  await everyOrder(gives: "cycle of A B C", within: some) {
    await words(
      [Plan("C", needs: "A"), Plan("A", needs: "B"), Plan("B", needs: "C")], atMost: 2)
  }
}

@Test func `a cycle is named without the steps that depend on it, or that it depends on`() async {
  await everyOrder(gives: "cycle of B C", within: some) {
    await words(
      [
        Plan("A", needs: "B"), Plan("B", needs: "D", "C"), Plan("C", needs: "D", "B"), Plan("D"),
      ], atMost: 2)
  }
  await everyOrder(gives: "cycle of C D E", within: some) {
    await words(
      [
        Plan("A"), Plan("F", needs: "D"), Plan("B", needs: "F", "A"), Plan("E", needs: "A", "C"),
        Plan("D", needs: "A", "E"), Plan("C", needs: "D"),
      ], atMost: 2)
  }
}

@Test func `a name that is not there is refused, and nothing begins`() async {
  await everyOrder(gives: "B needs X", within: some) {
    await words([Plan("A"), Plan("C", needs: "B"), Plan("B", needs: "A", "X")], atMost: 2)
  }
}

@Test func `what depends on a failure does not begin, itself or through others`() async {
  await everyOrder(gives: "A: failed, B: not begun, C: not begun", within: some) {
    await words([Plan("C", needs: "B"), Plan("B", needs: "A"), Plan("A", kind: .fails)], atMost: 2)
  }
  await everyOrder(gives: "A: a, B: failed, C: not begun, D: not begun", within: some) {
    await words(
      [
        Plan("A"), Plan("B", kind: .fails), Plan("C", needs: "A", "B"), Plan("D", needs: "B", "A"),
      ], atMost: 2)
  }
}

@Test func `all other steps run as if nothing had failed`() async {
  await everyOrder(gives: "A: a, B: failed, C: c, D: not begun", within: some) {
    await words(
      [
        Plan("A", kind: .waits(for: "C")), Plan("B", kind: .fails), Plan("D", needs: "B"),
        Plan("C"),
      ], atMost: 2)
  }
}

@Test func `a step that gives up by itself has failed, and nobody is cancelled`() async {
  await everyOrder(gives: "A: failed, B: not begun, C: c", within: some) {
    await words([Plan("A", kind: .givesUp), Plan("B", needs: "A"), Plan("C")], atMost: 1)
  }
}

@Test func `a cancelled caller has what is at work cancelled, and begins nothing more`() async {
  await everyOrder(gives: "cancelled", within: some) {
    await wordsIfCancelled(
      [Plan("A", kind: .hangs), Plan("B", kind: .hangs)], atMost: 1, most: 1)
  }
  await everyOrder(gives: "cancelled", within: some) {
    await wordsIfCancelled(
      [Plan("A", kind: .hangs), Plan("B", kind: .hangs), Plan("C", needs: "A")], atMost: 2, most: 2)
  }
}

@Test func `a cancellation that comes as a step ends leaves all outcomes or none`() async {
  await everyOrder(gives: "A: a, B: b(a)", "cancelled", within: some) {
    await wordsIfCancelled([Plan("A"), Plan("B", needs: "A")], atMost: 1, most: 2)
  }
  await everyOrder(gives: "cancelled", within: some) {
    await wordsIfCancelled(
      [Plan("A", kind: .fails), Plan("B", kind: .hangs), Plan("C", needs: "A")], atMost: 2, most: 2)
  }
}

@Test func `of no steps there are no outcomes`() async {
  await everyOrder(gives: "") { await words([], atMost: 2) }
}
