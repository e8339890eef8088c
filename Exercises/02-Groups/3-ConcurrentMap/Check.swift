import Interleaving
import InterleavingTesting
import Synchronization
import Testing

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

/// Checks what comes of some items, in every order. If these are too many, it is those with one preemption at most, 200
/// of them, and 100 that are drawn, the same each time.
///
/// - Returns: Whether it is right.
@discardableResult
private func expect(
  _ right: String..., of kinds: [Item.Kind], atMost limit: Int, isCancelled: Bool = false
) async -> Bool {
  let items = kinds.enumerated().map { Item(name: ["A", "B", "C"][$0], index: $0, kind: $1) }
  for (strategy, schedules) in [
    (Strategy.reduced(assuming: .actorIsolation), 200), (.preemptionBounded(1), 200),
    (.pct(seed: 1, depth: 3), 100),
  ] {
    let exploration = await explore(
      strategy, limit: schedules, stopsAtFailure: true, steps: 200, allowing: right.contains
    ) {
      let work = Work(atMost: limit)
      let caller = Task(name: "caller") {
        await work.outcome(of: items) {
          try await concurrentMap(items, atMost: limit, work.transform)
        }
      }
      if isCancelled { caller.cancel() }
      return await caller.value
    }
    if exploration.failures.isEmpty, exploration.completeness == .scheduleLimit(schedules) {
      continue
    }
    exploration.expectNoFailures()
    return exploration.failures.isEmpty
  }
  return true
}

@Test func `the values are in the order of the items`() async {
  guard await expect("a b c", of: [.done, .done, .done], atMost: 2) else { return }
  await expect("a b", of: [.done, .done], atMost: 5)
}

@Test func `no more are at work than the limit says`() async {
  guard await expect("a b", of: [.done, .done], atMost: 1) else { return }
  await expect("a b c", of: [.done, .done, .done], atMost: 2)
}

@Test func `as soon as one is done, whichever it is, the next one begins`() async {
  guard await expect("a b c", of: [.waitsForC, .done, .done], atMost: 2) else { return }
  await expect("a b c", of: [.done, .waitsForC, .done], atMost: 2)
}

@Test func `after the first error the others are cancelled, and no other item is begun`() async {
  guard await expect("error of A", of: [.fails, .hangs, .done], atMost: 2) else { return }
  guard await expect("error of B", of: [.hangs, .fails, .done], atMost: 2) else { return }
  await expect("error of A", "error of B", of: [.fails, .fails], atMost: 2)
}

@Test func `a caller that is cancelled has all of them cancelled`() async {
  await expect("cancelled", of: [.hangs, .hangs, .done], atMost: 2, isCancelled: true)
}

@Test func `a cancellation that comes as a value does leaves all values or none`() async {
  guard await expect("a b", "cancelled", of: [.done, .done], atMost: 1, isCancelled: true) else {
    return
  }
  await expect("a b", "cancelled", of: [.done, .done], atMost: 2, isCancelled: true)
}

@Test func `of no items there are no values`() async {
  await expect("", of: [], atMost: 2)
}
