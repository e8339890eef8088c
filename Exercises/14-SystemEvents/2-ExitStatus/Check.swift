import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Waiting: Sendable {
  init(_ watch: any ChildWatch)
  func exitStatus() async throws -> Int32
}

extension Child: Waiting {}

/// The watch of a child that exits when it is told.
private final class Watch: ChildWatch {
  private typealias Exited = @Sendable (Int32) -> Void

  private struct State {
    var exited: Exited?
    var status: Int32?
    var hasCalledBack = false
    var begun = 0
    var closed = 0
    var complaint: String?
  }

  private let start = ContinuousClock.now
  private let state = Mutex(State())

  var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  var isClosed: Bool { state.withLock { $0.closed > 0 } }

  func begin(_ exited: @escaping @Sendable (Int32) -> Void) {
    let status: Int32? = state.withLock { state in
      state.begun += 1
      state.exited = exited
      return state.status
    }
    if status != nil { tell() }
  }

  func close() {
    state.withLock { state in
      state.closed += 1
      if !state.hasCalledBack { state.complaint = "closed before it has called back" }
    }
  }

  /// The child exits; if it is not watched yet, the watch calls back when it is begun.
  func exit(_ status: Int32) {
    state.withLock { $0.status = status }
    tell()
  }

  private func tell() {
    let call: (Exited, Int32)? = state.withLock { state in
      guard let status = state.status, let exited = state.exited.take() else { return nil }
      state.hasCalledBack = true
      return (exited, status)
    }
    guard let (exited, status) = call else { return }
    exited(status)
  }

  /// What became of it.
  var story: String {
    state.withLock { state in
      "watch \(times(state.begun, "begun")), "
        + (state.complaint ?? times(state.closed, "closed"))
    }
  }

  private func times(_ count: Int, _ word: String) -> String {
    switch count {
    case 0: "never \(word)"
    case 1: "\(word) once"
    default: "\(word) \(count) times"
    }
  }

  /// What a waiter gets, and when.
  func answer(_ child: any Waiting) async -> String {
    let word: String
    do {
      let status = try await child.exitStatus()
      word = "\(status)" + (isClosed ? "" : " before the watch is closed")
    } catch is CancellationError {
      word = "cancelled"
    } catch {
      word = "\(type(of: error))"
    }
    return "\(word) at \(now)"
  }
}

/// A waiter that comes after so many seconds, and may be cancelled.
private struct Waiter {
  let comes: Int
  var isCancelledAt: Int?
}

/// What each of some waiters gets of a child that exits after so many seconds, and what becomes of its watch.
@Sendable private func story(
  _ status: Int32, at time: Int, _ waiters: [Waiter]
) async throws -> String {
  let watch = Watch()
  let child: any Waiting = Child(watch)
  let start = ContinuousClock.now
  @Sendable func sleep(until seconds: Int) async throws {
    if seconds > 0 { try await Task.sleep(until: start + .seconds(seconds)) }
  }
  let tasks = waiters.enumerated().map { index, waiter in
    let task = Task(name: "waiter \(index + 1)") {
      try? await sleep(until: waiter.comes)
      return await watch.answer(child)
    }
    if let moment = waiter.isCancelledAt {
      Task(name: "user") {
        try await sleep(until: moment)
        task.cancel()
      }
    }
    return task
  }
  try await sleep(until: time)
  watch.exit(status)
  var answers: [String] = []
  for task in tasks { answers.append(await task.value) }
  try await sleep(until: 100)
  return (answers + [watch.story]).joined(separator: ", ")
}

private let some = Orders.upTo(classes: 120, preempted: 80, drawn: 40)
private let well = ", watch begun once, closed once"

/// - Parameter other: What is right, too.
private func check(
  _ right: String, _ other: String? = nil,
  _ scenario: @escaping @Sendable () async throws -> String
) async {
  guard let other else {
    return await everyOrder(
      gives: right, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
  }
  await everyOrder(
    gives: right, other, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
}

@Test func `a waiter gets the status as soon as the child exits`() async {
  await check("3 at 5.0" + well) { try await story(3, at: 5, [Waiter(comes: 0)]) }
  await check("0 at 5.0" + well) { try await story(0, at: 5, [Waiter(comes: 1)]) }
}

@Test func `a waiter that comes late gets it at once`() async {
  await check("3 at 9.0" + well) { try await story(3, at: 5, [Waiter(comes: 9)]) }
  await check("0 at 6.0, 0 at 9.0" + well) {
    try await story(0, at: 5, [Waiter(comes: 6), Waiter(comes: 9)])
  }
}

@Test func `several waiters get the same status, whenever they come`() async {
  await check("139 at 5.0, 139 at 5.0, 139 at 5.0, 139 at 8.0" + well) {
    try await story(
      139, at: 5, [Waiter(comes: 0), Waiter(comes: 0), Waiter(comes: 3), Waiter(comes: 8)])
  }
}

@Test func `a task that waits twice gets it twice`() async {
  await check("7 at 5.0, 7 at 5.0" + well) {
    let watch = Watch()
    let child: any Waiting = Child(watch)
    let waiter = Task(name: "waiter") {
      let first = await watch.answer(child)
      return first + ", " + (await watch.answer(child))
    }
    try await Task.sleep(for: .seconds(5))
    watch.exit(7)
    return await waiter.value + ", " + watch.story
  }
}

@Test func `the watch may call back before begin returns`() async {
  await check("3 at 0.0, 3 at 0.0" + well) {
    let watch = Watch()
    watch.exit(3)
    let child: any Waiting = Child(watch)
    let first = await watch.answer(child)
    return first + ", " + (await watch.answer(child)) + ", " + watch.story
  }
}

@Test func `it may call back at any moment, on any thread`() async {
  await check("3 at 0.0, 3 at 0.0" + well) {
    let watch = Watch()
    let thread = Task(name: "thread") { watch.exit(3) }
    let child: any Waiting = Child(watch)
    let waiter = Task(name: "waiter") { await watch.answer(child) }
    let first = await watch.answer(child)
    let second = await waiter.value
    await thread.value
    return first + ", " + second + ", " + watch.story
  }
}

@Test func `the watch is closed when nobody waits, and when nobody keeps the child`() async {
  await check("watch begun once, closed once") { try await story(3, at: 5, []) }
  await check("watch begun once, closed once") {
    let watch = Watch()
    do {
      let child: any Waiting = Child(watch)
      withExtendedLifetime(child) {}
    }
    try await Task.sleep(for: .seconds(5))
    watch.exit(3)
    try await Task.sleep(for: .seconds(5))
    return watch.story
  }
}

@Test func `a cancelled waiter gets CancellationError at once, and the others wait on`() async {
  await check("cancelled at 2.0, 3 at 5.0, 3 at 5.0" + well) {
    try await story(
      3, at: 5, [Waiter(comes: 0, isCancelledAt: 2), Waiter(comes: 0), Waiter(comes: 1)])
  }
  await check("3 at 5.0, cancelled at 2.0, 3 at 5.0, cancelled at 4.0" + well) {
    try await story(
      3, at: 5,
      [
        Waiter(comes: 0), Waiter(comes: 1, isCancelledAt: 2), Waiter(comes: 3),
        Waiter(comes: 3, isCancelledAt: 4),
      ])
  }
}

@Test func `if all waiters were cancelled, the watch goes on, and a late waiter has the status`()
  async
{
  await check("cancelled at 2.0, cancelled at 2.0" + well) {
    try await story(
      3, at: 5, [Waiter(comes: 0, isCancelledAt: 2), Waiter(comes: 0, isCancelledAt: 2)])
  }
  await check("cancelled at 2.0, 3 at 5.0, 3 at 9.0" + well) {
    try await story(
      3, at: 5, [Waiter(comes: 0, isCancelledAt: 2), Waiter(comes: 4), Waiter(comes: 9)])
  }
}

@Test func `a waiter that is cancelled before it waits, or as it comes, gets CancellationError`()
  async
{
  await check("cancelled at 0.0, 3 at 5.0" + well) {
    try await story(3, at: 5, [Waiter(comes: 0, isCancelledAt: 0), Waiter(comes: 0)])
  }
  await check("cancelled at 1.0" + well) {
    let watch = Watch()
    let child: any Waiting = Child(watch)
    try await Task.sleep(for: .seconds(1))
    let waiter = Task(name: "waiter") {
      withUnsafeCurrentTask { $0?.cancel() }
      return await watch.answer(child)
    }
    let answer = await waiter.value
    watch.exit(3)
    return answer + ", " + watch.story
  }
}

@Test func `if it is cancelled as the child exits, or later, either is the result`() async {
  await check("3 at 5.0, 3 at 5.0" + well, "3 at 5.0, cancelled at 5.0" + well) {
    try await story(3, at: 5, [Waiter(comes: 0), Waiter(comes: 0, isCancelledAt: 5)])
  }
  await check("3 at 9.0" + well, "cancelled at 9.0" + well) {
    let watch = Watch()
    let child: any Waiting = Child(watch)
    watch.exit(3)
    try await Task.sleep(for: .seconds(9))
    let waiter = Task(name: "waiter") {
      withUnsafeCurrentTask { $0?.cancel() }
      return await watch.answer(child)
    }
    return await waiter.value + ", " + watch.story
  }
}

@Test func `nobody waits for ever, whoever comes, is cancelled and exits at the same moment`() async
{
  await check("3, 3 at 0.0" + well, "cancelled, 3 at 0.0" + well) {
    let watch = Watch()
    let child: any Waiting = Child(watch)
    let cancelled = Task(name: "cancelled") { await watch.answer(child) }
    let waiter = Task(name: "waiter") { await watch.answer(child) }
    let thread = Task(name: "thread") { watch.exit(3) }
    cancelled.cancel()
    let first = await cancelled.value.replacing(" at 0.0", with: "")
    let second = await waiter.value
    await thread.value
    return first + ", " + second + ", " + watch.story
  }
}
