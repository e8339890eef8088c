import Synchronization
import Workbook

extension Subject {
  static let signalOrCancel = Subject(
    "signal-or-cancel",
    asks: "Two wait for a permit. One comes back as the first waiter is cancelled. Who is let in?",
    right: .allowed("the first, then the second; 0 free"),
    .allowed("the second only; 1 free"),
    implementations: [
      .after(
        "resumed by either",
        .trap("the signal has resumed it, and the cancellation does, too"),
        .allowed("the first, then the second; 0 free", "it was let in before"),
        .allowed("the second only; 1 free", "it had left before")
      ) { _ in await signalling(ResumedTwice.AsyncSemaphore(permits: 0)) }
      .code("AsyncSemaphoreResumedTwice.swift", "continuations[line.removeFirst()]")
      .notPlayed("which of the two comes first is up to chance"),
      .after("resumed by the one that takes it out of the line") { _ in
        await signalling(AsyncSemaphore(permits: 0))
      }
      .code("AsyncSemaphoreMutex.swift", "let waiter = state.withLock { $0.permits.leave"),
    ])

  static let permitBack = Subject(
    "permit-back",
    asks:
      "One is inside a gate for one. A second is cancelled at it, and a third comes. Who is in?",
    right: .allowed("1 at a time"),
    implementations: [
      .after(
        "defer before wait",
        .surprising("2 at a time", "the second gives back a permit that it has not taken")
      ) { _ in
        await mostInside { try await GivenBackAnyway.withPermit(of: $0, $1) }
      }
      .code("GivenBackAnyway.swift", "defer { semaphore.signal() }")
      .alwaysWrong,
      .after("wait, then defer") { _ in await mostInside { try await $0.withPermit($1) } }
        .code("AsyncSemaphoreMutex.swift", "defer { signal() }"),
    ])
}

/// What the implementations have in common.
private protocol Limiting: AnyObject, Sendable {
  nonisolated(nonsending) func wait() async throws
  func signal() async
  var free: Int { get async }
}

extension AsyncSemaphore: Limiting {}
extension ResumedTwice.AsyncSemaphore: Limiting {}

/// Two wait. One permit comes back, and the first waiter is cancelled, in any order.
private func signalling(_ semaphore: some Limiting) async -> String {
  let (first, second) = (waiter("first", semaphore), waiter("second", semaphore))
  let signal = Task(name: "signal") { await semaphore.signal() }
  first.cancel()
  await signal.value
  let isFirstIn = await first.value
  // If the first has a permit, the second needs another one.
  await semaphore.signal()
  let isSecondIn = await second.value
  let who =
    switch (isFirstIn, isSecondIn) {
    case (true, true): "the first, then the second"
    case (false, true): "the second only"
    default: "not the second"
    }
  return "\(who); \(await semaphore.free) free"
}

private func waiter(_ name: String, _ semaphore: some Limiting) -> Task<Bool, Never> {
  Task(name: name) { (try? await semaphore.wait()) != nil }
}

/// The first is inside until the second has been cancelled in the line and the third has come.
private func mostInside(
  _ withPermit:
    @escaping @Sendable (
      AsyncSemaphore, nonisolated(nonsending) () async throws -> Void
    ) async throws -> Void
) async -> String {
  let (semaphore, room, mayLeave) = (AsyncSemaphore(permits: 1), Room(), Gate())
  let visit = { @Sendable () in
    // Each is inside or in line before this goes on.
    Task.immediate {
      try await withPermit(semaphore) {
        room.enter()
        await mayLeave.wait()
        room.leave()
      }
    }
  }
  let (first, second) = (visit(), visit())
  second.cancel()
  _ = await second.result
  let third = visit()
  mayLeave.open()
  _ = await (first.result, third.result)
  return "\(room.most) at a time"
}

/// How many are inside, and how many were at most.
private final class Room: Sendable {
  private let state = Mutex((inside: 0, most: 0))

  func enter() {
    state.withLock { state in
      state.inside += 1
      state.most = max(state.most, state.inside)
    }
  }

  func leave() { state.withLock { $0.inside -= 1 } }

  var most: Int { state.withLock { $0.most } }
}
