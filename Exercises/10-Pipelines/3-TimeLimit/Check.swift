import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// Work that takes seconds, and says what became of it.
private final class Work: Sendable {
  struct Failure: Error {}

  private let state = Mutex("not begun")
  /// How long it takes to end when it is cancelled.
  private let cleanUp: Duration

  init(cleanUp: Duration = .zero) { self.cleanUp = cleanUp }

  var end: String { state.withLock { $0 } }

  func run(for duration: Duration, fails: Bool = false) async throws -> Int {
    state.withLock { $0 = "still at work" }
    do {
      try await Task.sleep(for: duration)
    } catch {
      // What cleans up does not listen any more.
      if cleanUp > .zero { await Task { try? await Task.sleep(for: cleanUp) }.value }
      state.withLock { $0 = "cancelled" }
      throw error
    }
    state.withLock { $0 = "done" }
    if fails { throw Failure() }
    return 7
  }
}

/// What comes of work within a limit, what became of the work by then, and when.
@Sendable private func outcome(
  _ work: Work, _ body: @Sendable () async throws -> Int?
) async -> String {
  let start = ContinuousClock.now
  var word: String
  do {
    word = try await body().map { "\($0)" } ?? "nothing"
  } catch is Work.Failure {
    word = "its error"
  } catch is CancellationError {
    word = "CancellationError"
  } catch {
    word = "\(type(of: error))"
  }
  word += ", work \(work.end)"
  return word + " at \((ContinuousClock.now - start) / .seconds(1))"
}

private let some = Orders.upTo(classes: 60, preempted: 40, drawn: 20)

@Test func `work that ends in time gives its value, at once`() async {
  await everyOrder(gives: "7, work done at 2.0", within: some, time: .passesWhenIdle) {
    let work = Work()
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(2)) }
    }
  }
}

@Test func `no value is a value, too`() async {
  await everyOrder(gives: "nothing, work done at 2.0", within: some, time: .passesWhenIdle) {
    let work = Work()
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) { () -> Int? in
        _ = try await work.run(for: .seconds(2))
        return nil
      }
    }
  }
}

@Test func `or its error`() async {
  await everyOrder(gives: "its error, work done at 2.0", within: some, time: .passesWhenIdle) {
    let work = Work()
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(2), fails: true) }
    }
  }
  let right = "CancellationError, work not begun at 0.0"
  await everyOrder(gives: right, within: some, time: .passesWhenIdle) {
    let work = Work()
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) { throw CancellationError() }
    }
  }
}

@Test func `when the time is over, the work is cancelled and has ended`() async {
  await everyOrder(gives: "TimedOut, work cancelled at 5.0", within: some, time: .passesWhenIdle) {
    let work = Work()
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(3_600)) }
    }
  }
  await everyOrder(gives: "TimedOut, work cancelled at 8.0", within: some, time: .passesWhenIdle) {
    let work = Work(cleanUp: .seconds(3))
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(3_600)) }
    }
  }
}

@Test func `a limit in a limit: the shorter one counts`() async {
  await everyOrder(gives: "TimedOut, work cancelled at 2.0", within: some, time: .passesWhenIdle) {
    let work = Work()
    return await outcome(work) {
      try await withTimeLimit(.seconds(5)) {
        try await withTimeLimit(.seconds(2)) { try await work.run(for: .seconds(3_600)) }
      }
    }
  }
}

@Test func `a caller that is cancelled gets CancellationError when the work has ended`() async {
  let right = "CancellationError, work cancelled at 1.0"
  await everyOrder(gives: right, within: some, time: .passesWhenIdle) {
    let work = Work()
    let caller = Task(name: "caller") {
      await outcome(work) {
        try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(3_600)) }
      }
    }
    try await Task.sleep(for: .seconds(1))
    caller.cancel()
    return await caller.value
  }
}

@Test func `so it is where the work takes longer to end than there was time`() async {
  let right = "CancellationError, work cancelled at 11.0"
  await everyOrder(gives: right, within: some, time: .passesWhenIdle) {
    let work = Work(cleanUp: .seconds(10))
    let caller = Task(name: "caller") {
      await outcome(work) {
        try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(3_600)) }
      }
    }
    try await Task.sleep(for: .seconds(1))
    caller.cancel()
    return await caller.value
  }
}

@Test func `a cancellation at any time gives CancellationError or what was there`() async {
  await everyOrder(
    gives: "CancellationError, work ended", "7, work ended", within: some,
    time: .passesWhenIdle
  ) {
    let work = Work()
    let caller = Task(name: "caller") {
      let word = await outcome(work) {
        try await withTimeLimit(.seconds(5)) { try await work.run(for: .seconds(1)) }
      }
      let isEnded = !word.contains("still at work")
      return String(word.prefix { $0 != "," })
        + (isEnded ? ", work ended" : ", work still under way")
    }
    try await Task.sleep(for: .seconds(1))
    caller.cancel()
    return await caller.value
  }
}
