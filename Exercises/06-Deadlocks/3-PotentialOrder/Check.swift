import DeadlockDetection
import Foundation
import Synchronization
import Testing

/// What the check uses.
private protocol Songs: Sendable {
  init(_ songs: Set<String>)
  func fill()
  func next()
  func remove(_ song: String)
  var playing: String? { get }
  var songs: Set<String> { get }
  var playerLock: WatchedLock { get }
  var listLock: WatchedLock { get }
  var libraryLock: WatchedLock { get }
}

extension Jukebox: Songs {}

/// What the detector says while one step is done after the other, each in a task of its own.
private func findings(_ steps: @Sendable () -> Void...) async -> [String] {
  let found = Mutex<[String]>([])
  DeadlockDetector.shared.handle { finding in
    found.withLock { $0.append("\(finding)") }
    return .goOn
  }
  for step in steps { await withTaskGroup { $0.addTask(operation: step) } }
  return found.withLock { $0 }
}

/// Whether a step, on a thread of its own, waits for a lock that this thread has.
private func waits(
  for lock: WatchedLock, named name: String, _ step: @escaping @Sendable () -> Void
) -> Bool {
  let isDone = DispatchSemaphore(value: 0)
  lock.lock()
  Thread.detachNewThread {
    step()
    isDone.signal()
  }
  let isWaited = {
    DeadlockDetector.shared.waiting.contains { $0.resource == "lock “\(name)”" }
  }
  // Done or waiting; the limit is for a wait that the detector does not see.
  let limit = ContinuousClock.now + .seconds(10)
  var isOver = false
  while !isOver && !isWaited() && .now < limit { isOver = isDone.wait(timeout: .now()) == .success }
  let result = isWaited()
  lock.unlock()
  if !isOver { isDone.wait() }
  return result
}

@Suite(.serialized) struct JukeboxCheck {
  @Test func `the detector finds no circle, in a run in which nothing waits`() async {
    let jukebox: any Songs = Jukebox(["a", "b", "c"])
    let found = await findings(
      { jukebox.fill() },
      { jukebox.next() },
      { jukebox.remove("a") },  // it plays
      { jukebox.next() },
      { jukebox.remove("c") },  // it does not
      { _ = (jukebox.playing, jukebox.songs) })
    #expect(found == [])
  }

  @Test func `each variable is used under its own lock`() {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    jukebox.next()
    let (player, list, library) = (jukebox.playerLock, jukebox.listLock, jukebox.libraryLock)
    #expect(waits(for: player, named: "player") { jukebox.remove("a") })
    #expect(waits(for: library, named: "library") { jukebox.remove("b") })
    #expect(waits(for: player, named: "player") { jukebox.next() })
    #expect(waits(for: list, named: "list") { jukebox.next() })
    #expect(waits(for: list, named: "list") { jukebox.fill() })
    #expect(waits(for: library, named: "library") { jukebox.fill() })
    #expect(waits(for: player, named: "player") { _ = jukebox.playing })
    #expect(waits(for: library, named: "library") { _ = jukebox.songs })
  }

  @Test func `a song that is removed is gone, and plays no more`() {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    jukebox.next()
    #expect(jukebox.playing == "a")
    jukebox.remove("a")
    #expect(jukebox.playing == nil)
    #expect(jukebox.songs == ["b"])
  }

  @Test func `a song that does not play is removed, and the other plays on`() {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    jukebox.next()
    jukebox.remove("b")
    #expect(jukebox.playing == "a")
    #expect(jukebox.songs == ["a"])
  }

  @Test func `the list is filled with the songs that are there, in order`() {
    let jukebox: any Songs = Jukebox(["b", "a"])
    jukebox.fill()
    jukebox.next()
    #expect(jukebox.playing == "a")
    jukebox.next()
    #expect(jukebox.playing == "b")
    jukebox.next()
    #expect(jukebox.playing == nil)
  }
}
