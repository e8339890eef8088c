import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Entrance: Sendable {
  init(on executor: (any TaskExecutor)?)
  func enter(_ visit: @escaping @Sendable () async -> Void) async
}

extension Door: Entrance {}

/// A core that runs the most urgent job next; time is counted in jobs.
private final class OneCore: TaskExecutor {
  private struct State {
    var ready: [(priority: UInt8, job: UnownedJob)] = []
    var waiting: [(until: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var time = 0
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let priority = job.priority.rawValue
    let job = UnownedJob(job)
    state.withLock { $0.ready.append((priority, job)) }
  }

  /// Waits, as for a disk, while so many jobs of others are run.
  func wait(_ jobs: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append(($0.time + jobs, continuation)) }
    }
  }

  /// Runs jobs until none is left and nobody waits, 10,000 at most.
  func run() {
    for _ in 1...10_000 {
      let woken = state.withLock { state in
        if state.ready.isEmpty, let next = state.waiting.map(\.until).min() {
          state.time = max(state.time, next)
        }
        let woken = state.waiting.filter { $0.until <= state.time }
        state.waiting.removeAll { $0.until <= state.time }
        return woken.map(\.continuation)
      }
      for continuation in woken { continuation.resume() }
      let job = state.withLock { state -> UnownedJob? in
        guard let highest = state.ready.map(\.priority).max() else { return nil }
        state.time += 1
        return state.ready.remove(at: state.ready.firstIndex { $0.priority == highest }!).job
      }
      guard let job else { return }
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

private final class Diary: Sendable {
  private let lines = Mutex<[String]>([])
  func note(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock(\.self) }
}

/// So many drafts are saved in the background; then the user saves, while thumbnails are made.
private func saves(drafts: Int, thumbnails: Int, userSaves: Bool) -> [String] {
  let core = OneCore()
  let door: any Entrance = Door(on: core)
  let diary = Diary()
  for draft in 1...drafts {
    Task(executorPreference: core, priority: .background) {
      await door.enter {
        diary.note("draft \(draft) begins")
        await core.wait(20)
        await core.wait(2)
        diary.note("draft \(draft) saved at \(Task.currentPriority.rawValue)")
      }
    }
  }
  Task(executorPreference: core, priority: .high) {
    // By now the drafts are at the door.
    await core.wait(2 + 3 * drafts)
    for number in 1...thumbnails {
      Task(executorPreference: core, priority: .utility) { diary.note("thumbnail \(number)") }
    }
    guard userSaves else { return }
    await door.enter {
      // This draft comes to the door while the user is inside.
      Task(executorPreference: core, priority: .background) {
        await door.enter { diary.note("last draft saved at \(Task.currentPriority.rawValue)") }
      }
      await core.wait(20)
      diary.note("user saved")
    }
  }
  core.run()
  return diary.all
}

@Test func `the saves and what the door does for them run on its executor`() {
  let diary = saves(drafts: 1, thumbnails: 1, userSaves: false)
  #expect(diary.contains { $0.hasPrefix("draft 1 saved") }, "the draft is not saved there")
}

@Test func `a draft that is in nobody's way keeps its priority`() {
  let diary = saves(drafts: 2, thumbnails: 3, userSaves: false)
  #expect(diary.contains("draft 1 saved at 9"))
  #expect(diary.contains("draft 2 saved at 9"))
}

@Test func `a draft that is in the user's way is raised`() throws {
  let diary = saves(drafts: 1, thumbnails: 200, userSaves: true)
  #expect(diary.contains("draft 1 saved at 25"))
  let saved = try #require(diary.firstIndex(of: "user saved"))
  let end = try #require(diary.firstIndex(of: "thumbnail 200"))
  #expect(saved < end, "the user waits for all thumbnails")
}

@Test func `and so are all that are ahead`() throws {
  let diary = saves(drafts: 3, thumbnails: 200, userSaves: true)
  let saved = try #require(diary.firstIndex(of: "user saved"))
  let end = try #require(diary.firstIndex(of: "thumbnail 200"))
  #expect(saved < end, "the user waits for all thumbnails")
  let order = diary.filter { $0.contains("begins") || $0 == "user saved" }
  #expect(order == ["draft 1 begins", "draft 2 begins", "draft 3 begins", "user saved"])
}

@Test func `a draft that comes after the user's keeps its priority`() {
  let diary = saves(drafts: 2, thumbnails: 3, userSaves: true)
  #expect(diary.last == "last draft saved at 9")
}

@Test func `a draft that waits raises the one inside when it becomes urgent itself`() {
  let core = OneCore()
  let door: any Entrance = Door(on: core)
  let diary = Diary()
  Task(executorPreference: core, priority: .background) {
    await door.enter {
      await core.wait(20)
      await core.wait(2)
      diary.note("draft 1 saved at \(Task.currentPriority.rawValue)")
    }
  }
  let second = Task(executorPreference: core, priority: .background) {
    await core.wait(2)
    await door.enter { diary.note("draft 2 saved") }
  }
  Task(executorPreference: core, priority: .high) {
    await core.wait(10)
    await second.value
  }
  core.run()
  #expect(diary.all == ["draft 1 saved at 25", "draft 2 saved"])
}

private actor Room {
  private var inside = 0
  private(set) var most = 0
  private(set) var visits = 0

  func visit() async {
    inside += 1
    most = max(most, inside)
    await Task.yield()
    inside -= 1
    visits += 1
  }
}

@Test func `one at a time, whatever the order`() async {
  await everyOrder(gives: "1 at a time") {
    let door: any Entrance = Door(on: nil)
    let room = Room()
    await withDiscardingTaskGroup { group in
      group.addTask(name: "A") {
        for _ in 1...2 { await door.enter { await room.visit() } }
      }
      group.addTask(name: "B") { await door.enter { await room.visit() } }
    }
    return "\(await room.most) at a time"
  }
}

@Test func `a save takes place also if its task is cancelled`() async {
  await everyOrder(gives: "2 visits") {
    let door: any Entrance = Door(on: nil)
    let room = Room()
    await withDiscardingTaskGroup { group in
      for name in ["A", "B"] {
        group.addTask(name: name) { await door.enter { await room.visit() } }
      }
      group.cancelAll()
    }
    return "\(await room.visits) visits"
  }
}

@Test func `a visit is over when enter returns`() async {
  await everyOrder(gives: "2 visits") {
    let door: any Entrance = Door(on: nil)
    let room = Room()
    for _ in 1...2 { await door.enter { await room.visit() } }
    return "\(await room.visits) visits"
  }
}
