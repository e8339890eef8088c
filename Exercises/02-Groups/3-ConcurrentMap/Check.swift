import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// An item, and how its transformation goes.
private struct Item: Sendable {
  enum Kind {
    /// Gives a value.
    case done
    /// Gives one when the third item has begun, and not before.
    case waitsForC
    case fails
    /// Does not end before it is cancelled.
    case hangs
  }

  let name: String
  let index: Int
  let kind: Kind
}

private struct ItemError: Error {
  let item: String
}

/// What is at work, and what was.
private final class Work: Sendable {
  private struct Log: Sendable {
    var begun: [String] = []
    var running: [String] = []
    var most = 0
    var ended = 0
    var early: [String] = []
  }

  private let log = Mutex(Log())
  private let untilC = AsyncStream.makeStream(of: Void.self)

  private let limit: Int

  init(atMost limit: Int) { self.limit = limit }

  @Sendable func transform(_ item: Item) async throws -> String {
    log.withLock { log in
      if item.index - limit >= log.ended { log.early.append(item.name) }
      log.begun.append(item.name)
      log.running.append(item.name)
      log.most = max(log.most, log.running.count)
    }
    defer {
      log.withLock { log in
        log.running.removeAll { $0 == item.name }
        log.ended += 1
      }
    }
    if item.name == "C" { untilC.continuation.finish() }
    switch item.kind {
    case .done: break
    case .waitsForC:
      for await _ in untilC.stream {}
      try Task.checkCancellation()
    case .fails: throw ItemError(item: item.name)
    case .hangs:
      await untilCancelled()
      throw CancellationError()
    }
    return item.name.lowercased()
  }

  /// What came of it: values or error, then what should not be.
  func outcome(of items: [Item], _ body: () async throws -> [String]) async -> String {
    var words: [String]
    var isWhole = false
    do {
      words = [try await body().joined(separator: " ")]
      isWhole = true
    } catch let error as ItemError {
      words = ["error of \(error.item)"]
    } catch is CancellationError {
      words = ["cancelled"]
    } catch {
      words = ["\(error)"]
    }
    let log = log.withLock(\.self)
    if log.most > limit { words.append("\(log.most) at once") }
    for item in items {
      let times = log.begun.count { $0 == item.name }
      if times > 1 { words.append("\(item.name) is begun again") }
      if log.early.contains(item.name) { words.append("\(item.name) is begun before its turn") }
      if !isWhole, times > 0, item.name == "C" { words.append("C is begun all the same") }
      if log.running.contains(item.name) { words.append("\(item.name) still at work") }
    }
    return words.joined(separator: ", ")
  }
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

/// What comes of some items.
@Sendable private func outcome(
  of kinds: Item.Kind..., atMost limit: Int, isCancelled: Bool = false
) async -> String {
  let names = ["A", "B", "C", "D", "E", "F", "G"]
  let items = kinds.enumerated().map { Item(name: names[$0], index: $0, kind: $1) }
  let work = Work(atMost: limit)
  let caller = Task(name: "caller") {
    await work.outcome(of: items) {
      try await concurrentMap(items, atMost: limit, work.transform)
    }
  }
  if isCancelled { caller.cancel() }
  return await caller.value
}

private let some = Orders.upTo(classes: 120, preempted: 60, drawn: 40)

@Test func `the values are in the order of the items`() async {
  await everyOrder(gives: "a b c", within: some) {
    await outcome(of: .done, .done, .done, atMost: 2)
  }
  await everyOrder(gives: "a b", within: some) { await outcome(of: .done, .done, atMost: 5) }
}

@Test func `no more are at work than the limit says`() async {
  await everyOrder(gives: "a b", within: some) { await outcome(of: .done, .done, atMost: 1) }
  await everyOrder(gives: "a b c", within: some) {
    await outcome(of: .done, .done, .done, atMost: 2)
  }
}

@Test func `so it is with seven items, three at once`() async {
  await everyOrder(
    gives: "a b c d e f g", within: .upTo(classes: 20, preempted: 20, drawn: 20), steps: 1_000
  ) {
    await outcome(of: .done, .waitsForC, .done, .done, .done, .done, .done, atMost: 3)
  }
}

@Test func `as soon as one is done, whichever it is, the next one begins`() async {
  await everyOrder(gives: "a b c", within: some) {
    await outcome(of: .waitsForC, .done, .done, atMost: 2)
  }
  await everyOrder(gives: "a b c", within: some) {
    await outcome(of: .done, .waitsForC, .done, atMost: 2)
  }
}

@Test func `after the first error the others are cancelled, and no other item is begun`() async {
  await everyOrder(gives: "error of A", within: some) {
    await outcome(of: .fails, .hangs, .done, atMost: 2)
  }
  await everyOrder(gives: "error of B", within: some) {
    await outcome(of: .hangs, .fails, .done, atMost: 2)
  }
  await everyOrder(gives: "error of A", "error of B", within: some) {
    await outcome(of: .fails, .fails, atMost: 2)
  }
}

@Test func `a caller that is cancelled has all of them cancelled`() async {
  await everyOrder(gives: "cancelled", within: some) {
    await outcome(of: .hangs, .hangs, .done, atMost: 2, isCancelled: true)
  }
}

@Test func `a cancellation that comes as a value does leaves all values or none`() async {
  await everyOrder(gives: "a b", "cancelled", within: some) {
    await outcome(of: .done, .done, atMost: 1, isCancelled: true)
  }
  await everyOrder(gives: "a b", "cancelled", within: some) {
    await outcome(of: .done, .done, atMost: 2, isCancelled: true)
  }
}

@Test func `of no items there are no values`() async {
  await everyOrder(gives: "") { await outcome(atMost: 2) }
}
