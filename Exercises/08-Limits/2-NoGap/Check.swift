import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Limiting: Sendable {
  init(every interval: Duration)
  func start() async throws
}

extension RequestRate: Limiting {}

/// Callers with names, when each comes and is cancelled, and when it starts, in seconds.
private final class Office: Sendable {
  private let begin = ContinuousClock.now
  private let notes = Mutex<[(time: Int, words: String)]>([])
  private let rate: any Limiting = RequestRate(every: .seconds(10))

  /// Calls, one caller after the other, each at its time and cancelled at another one.
  func story(_ callers: (name: String, comes: Int, cancelled: Int?)...) async -> String {
    await withDiscardingTaskGroup { group in
      for caller in callers {
        group.addTask(name: caller.name) {
          try? await Task.sleep(until: self.begin + .seconds(caller.comes), clock: .continuous)
          let call = Task(name: caller.name) { await self.call(caller.name) }
          guard let time = caller.cancelled else { return await call.value }
          try? await Task.sleep(until: self.begin + .seconds(time), clock: .continuous)
          call.cancel()
          await call.value
        }
      }
    }
    return notes.withLock { notes in
      notes.sorted { ($0.time, $0.words) < ($1.time, $1.words) }.map(\.words)
        .joined(separator: ", ")
    }
  }

  private func call(_ name: String) async {
    var word = "starts"
    do { try await rate.start() } catch {
      word = error is CancellationError ? "cancelled" : "\(error)"
    }
    let time = Int(((ContinuousClock.now - begin) / .seconds(1)).rounded())
    notes.withLock { $0.append((time, "\(name) \(word) at \(time)")) }
  }
}

private let some = Orders.upTo(classes: 100, preempted: 60, drawn: 40)

private func check(
  _ right: String, _ scenario: @escaping @Sendable () async -> String
) async {
  await everyOrder(
    gives: right, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
}

@Test func `one starts in each interval, in the order in which they came`() async {
  await check("A starts at 0, B starts at 10, C starts at 20") {
    await Office().story(("A", 0, nil), ("B", 1, nil), ("C", 2, nil))
  }
}

@Test func `a caller that comes late starts at once, and the next one an interval later`() async {
  await check("A starts at 0, B starts at 35, C starts at 45") {
    await Office().story(("A", 0, nil), ("B", 35, nil), ("C", 36, nil))
  }
}

@Test func `a caller that is cancelled is told at once`() async {
  await check("A starts at 0, B cancelled at 4") {
    await Office().story(("A", 0, nil), ("B", 1, 4))
  }
  await check("A starts at 0, C cancelled at 5, B starts at 10") {
    await Office().story(("A", 0, nil), ("B", 1, nil), ("C", 2, 5))
  }
}

@Test func `its time is the next one's`() async {
  await check("A starts at 0, B cancelled at 4, C starts at 10, D starts at 20") {
    await Office().story(("A", 0, nil), ("B", 1, 4), ("C", 2, nil), ("D", 3, nil))
  }
}

@Test func `so is the time of one that is cancelled in the middle of the line`() async {
  await check("A starts at 0, C cancelled at 6, B starts at 10, D starts at 20") {
    await Office().story(("A", 0, nil), ("B", 1, nil), ("C", 2, 6), ("D", 3, nil))
  }
}

@Test func `a cancelled caller does not let the next one start too early`() async {
  await check("A starts at 0, B starts at 10, C cancelled at 12, D starts at 20") {
    await Office().story(("A", 0, nil), ("B", 1, nil), ("C", 2, 12), ("D", 3, nil))
  }
}
