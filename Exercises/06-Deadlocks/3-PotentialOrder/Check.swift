import DeadlockDetection
import Foundation
import Synchronization
import Testing

@testable import Answer

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

/// Which of some other locks stay taken while a step, on a thread of its own, waits for one that this thread has; nil
/// if it does not wait. What is to be done meanwhile is done while it waits.
private func taken(
  of others: [String: WatchedLock] = [:], whileWaitingFor lock: WatchedLock, named name: String,
  meanwhile: () -> Void = {}, _ step: @escaping @Sendable () -> Void
) -> [String]? {
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
  var result: [String]?
  if isWaited() {
    // Another thread of the answer may be about to give it back.
    result = others.compactMap { name, other in
      guard other.lock(before: Date(timeIntervalSinceNow: 1)) else { return name }
      other.unlock()
      return nil
    }
    meanwhile()
  }
  lock.unlock()
  if !isOver { isDone.wait() }
  return result
}

/// Whether a step, on a thread of its own, waits for a lock that this thread has.
private func waits(
  for lock: WatchedLock, named name: String, _ step: @escaping @Sendable () -> Void
) -> Bool {
  taken(whileWaitingFor: lock, named: name, step) != nil
}

@Suite(.serialized) struct JukeboxCheck {
  @Test func `the detector finds no cycle, in a run in which nothing waits`() async {
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

  /// What a method has in hand while it waits for a lock.
  private struct Wait {
    let method: String
    let waited: String
    let held: [String]
  }

  /// All waits of each method, one at a time; found once, as to see that a lock stays taken takes a while.
  private static let allWaits: [Wait] = {
    let steps: [(method: String, step: @Sendable (any Songs) -> Void)] = [
      ("remove", { $0.remove("a") }), ("remove", { $0.remove("b") }), ("fill", { $0.fill() }),
      ("next", { $0.next() }),
    ]
    var waits: [Wait] = []
    for (method, step) in steps {
      for name in ["player", "list", "library"] {
        let jukebox: any Songs = Jukebox(["a", "b"])
        jukebox.fill()
        jukebox.next()
        var locks = [
          "player": jukebox.playerLock, "list": jukebox.listLock, "library": jukebox.libraryLock,
        ]
        let lock = locks.removeValue(forKey: name)!
        let held = taken(of: locks, whileWaitingFor: lock, named: name) { step(jukebox) }
        if let held { waits.append(Wait(method: method, waited: name, held: held)) }
      }
    }
    return waits
  }()

  @Test(arguments: [("next", ["player", "list"]), ("fill", ["list", "library"])])
  func `next and fill stay one step each, with both of their locks`(
    _ method: String, _ locks: [String]
  ) {
    // While it waits for one of the two it has the other, whichever it takes first.
    let isOneStep = Self.allWaits.contains { wait in
      wait.method == method && Set(wait.held + [wait.waited]) == Set(locks)
    }
    #expect(
      isOneStep, "\(method) does not have the \(locks[0])'s and the \(locks[1])'s lock at once")
  }

  @Test func `nor is there one through a thread that a method starts and waits for`() {
    // Which lock is waited for while which are in hand.
    var orders: [String: Set<String>] = [:]
    for wait in Self.allWaits {
      for held in wait.held { orders[held, default: []].insert(wait.waited) }
    }
    for (first, seconds) in orders.sorted(by: { $0.key < $1.key }) {
      for second in seconds.sorted() {
        let third = orders[second] ?? []
        let isCycle =
          third.contains(first) || third.contains { orders[$0]?.contains(first) == true }
        #expect(!isCycle, "the \(first)'s lock is in hand while the \(second)'s is waited for")
      }
    }
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

  @Test func `so it is with a song that plays though it was removed before`() {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    jukebox.remove("a")
    jukebox.next()
    #expect(jukebox.playing == "a")
    jukebox.remove("a")
    #expect(jukebox.playing == nil)
  }

  @Test func `a song that does not play is removed, and the other plays on`() {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    jukebox.next()
    jukebox.remove("b")
    #expect(jukebox.playing == "a")
    #expect(jukebox.songs == ["a"])
  }

  @Test(arguments: [true, false])
  func `a removal that waits for the library meanwhile stops its song, and no other`(
    _ plays: Bool
  ) {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    if plays { jukebox.next() }
    var isGoneOn = false
    let goOn = {
      // A removal that has the player's lock already lets nobody go on.
      for lock in [jukebox.playerLock, jukebox.listLock] {
        guard lock.lock(before: Date(timeIntervalSinceNow: 1)) else { return }
        lock.unlock()
      }
      jukebox.next()
      isGoneOn = true
    }
    let library = jukebox.libraryLock
    _ = taken(whileWaitingFor: library, named: "library", meanwhile: goOn) { jukebox.remove("a") }
    // Where “a” played, “b” plays now; else “a” had just begun, and was stopped.
    if isGoneOn { #expect(jukebox.playing == (plays ? "b" : nil)) }
  }

  @Test func `whether the song plays, and that it stops, are one step`() {
    let jukebox: any Songs = Jukebox(["a", "b"])
    jukebox.fill()
    jukebox.next()
    // As soon as the player's lock is free for the first time, somebody goes on to the next song.
    let isGoneOn = Mutex(false)
    let (player, list) = (jukebox.playerLock, jukebox.listLock)
    player.afterUnlock {
      guard !isGoneOn.withLock({ $0 }), list.try() else { return }
      list.unlock()
      isGoneOn.withLock { $0 = true }
      jukebox.next()
    }
    jukebox.remove("a")
    player.afterUnlock(nil)
    let hasStoppedAnother = isGoneOn.withLock { $0 } && jukebox.playing != "b"
    #expect(!hasStoppedAnother, "“b” had begun before “a” was stopped, and “b” was stopped")
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
