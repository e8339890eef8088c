import Dispatch
import Foundation
import Synchronization
import Workbook

// The schedule that a hazard and its cures are put under. Where two meet, A is stopped when it holds its first,
// and goes on when B is done or kept waiting: B then holds its own first and waits for A's, or it waits for A's
// and holds nothing.

/// Where so many threads wait for each other, once. Whoever is past it knows that all have come.
final class Meeting: Sendable {
  private static let pollInterval: UInt32 = 50

  private let count: Int
  private let arrived = Atomic(0)

  init(of count: Int) {
    self.count = count
  }

  func meet() {
    arrived.add(1, ordering: .sequentiallyConsistent)
    while arrived.load(ordering: .sequentiallyConsistent) < count { usleep(Self.pollInterval) }
  }
}

/// Where so many tasks wait for each other, once, and hold no thread.
final class AsyncMeeting: Sendable {
  private let count: Int
  private let arrived = Atomic(0)
  private let gate = Gate()

  init(of count: Int) {
    self.count = count
  }

  /// - Parameter whenAllHaveCome: Called once, before anybody goes on.
  func meet(whenAllHaveCome: () -> Void) async {
    if arrived.add(1, ordering: .relaxed).newValue == count {
      whenAllHaveCome()
      gate.open()
    }
    await gate.wait()
  }
}

func change(_ settings: some Settings, _ transcript: Transcript? = nil) -> String {
  let seen = Atomic(0)
  settings.observe { key in
    transcript?.aboutToBlock("a listener asks for the value, inside the change")
    seen.store(settings.value(for: key), ordering: .sequentiallyConsistent)
  }
  settings.set(7, for: "volume")
  return "the listener sees \(seen.load(ordering: .sequentiallyConsistent))"
}

func renameAgainstDelete(
  in library: some Library, _ transcript: Transcript? = nil
) async -> String {
  let interruption = await interrupt { pause in
    await library.rename("a", to: "b") {
      pause()
      transcript?.aboutToBlock("A, on disk, goes to index, where B is")
    }
  } by: {
    await library.delete("a") {}
  }
  return "\(interruption.rawValue), \(await library.isConsistent ? "consistent" : "inconsistent")"
}

/// - Parameter isUnguarded: Whether A, when it is stopped, holds nothing that B could wait for.
func transfers<P: Purse>(
  between type: P.Type, isUnguarded: Bool = false, _ transcript: Transcript? = nil
) async -> String {
  let purses = (1...2).map { type.init(number: $0, balance: 100) }
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    await purses[0].transfer(50, to: purses[1]) {
      pause()
      transcript?.aboutToBlock("A, with purse 1, goes to purse 2, which B has")
    }
  } by: {
    await purses[1].transfer(20, to: purses[0]) {}
  }
  return "\(interruption.rawValue), \(await purses[0].balance) and \(await purses[1].balance)"
}

/// Five eat at once; with a meeting, all have their first fork before any takes the second.
func dinner(at table: some Table, meeting: Meeting? = nil, _ transcript: Transcript? = nil) async
  -> String
{
  await inTasks(5) { seat, _ in
    await table.eat(at: seat) {
      meeting?.meet()
      if seat == 0 { transcript?.aboutToBlock("each, with one fork, goes for the other") }
    }
  }
  return "all ate"
}

/// A letter is delivered, and stopped under the lock; meanwhile the reader is cancelled.
func deliveryAgainstCancellation(
  next: @escaping @Sendable () async -> String?,
  deliver: @escaping @Sendable (_ pause: @Sendable () -> Void) -> Void,
  _ transcript: Transcript? = nil
) async -> String {
  let desk = ThreadExecutor()
  // By its full name, since the watched Task has no executor.
  let reader = _Concurrency.Task(executorPreference: desk, operation: next)
  // The desk has one thread, which is free for this only when the reader's task is suspended.
  await _Concurrency.Task(executorPreference: desk) {}.value
  let interruption = await interrupt { pause in
    deliver {
      pause()
      transcript?.aboutToBlock(
        "A resumes the reader under the lock; B cancels it, and waits for the lock")
    }
  } by: {
    reader.cancel()
  }
  return "\(interruption.rawValue), \(await reader.value ?? "cancelled")"
}
