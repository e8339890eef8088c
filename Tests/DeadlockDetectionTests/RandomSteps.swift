import Foundation

@testable import DeadlockDetection

/// Threads that each do one step when they are told to, and a model that knows what each step has to come to.
///
/// Only one thread at a time is under way. So the model knows who has what and who waits, and it finds those who cannot
/// go on by looking at all of them: who could go on is struck off until nobody is left to strike off.
final class RandomSteps {
  /// What can be taken, with what the model knows of it.
  private enum Thing {
    case lock(WatchedLock)
    case recursiveLock(WatchedRecursiveLock)
    case queue(WatchedQueue)
    case returned(WatchedSemaphore, units: Int)
    case promised(WatchedSemaphore)
    case group(WatchedGroup)
  }

  private struct State {
    /// Who has it, once for each time it was taken.
    var holders: [Int] = []
    /// Who has promised to signal it, or to leave it.
    var debts: [(owner: Int, promise: Promise)] = []
    /// Units of a promised semaphore.
    var available = 0
  }

  private enum Reply {
    case took(Int, thing: Int)
    case refused(Int, Finding)
    case done(Int)
  }

  /// A thread, and what it is told to do next.
  private final class Actor: Sendable {
    let isTold = DispatchSemaphore(value: 0)
    /// What it does; nil if the body of a queue that it runs, or the thread, has to end.
    let order = Guarded<(@Sendable () -> Void)?>(nil)

    func tell(_ order: (@Sendable () -> Void)?) {
      self.order { $0 = order }
      isTold.signal()
    }

    /// Does what it is told, until it is told to end that.
    func serve() {
      while true {
        isTold.wait()
        guard let order = order({ $0 }) else { return }
        order()
      }
    }
  }

  private let findings = Findings()
  private var random: SplitMix64
  private let things: [Thing]
  private var states: [State]
  private let actors: [Actor]
  private let workers: [Worker]
  /// The queues whose bodies each thread runs, the innermost last.
  private var bodies: [[Int]]
  private var waiting: [Int: Int] = [:]
  private let replies = Guarded<[Reply]>([])
  private(set) var deadlocks = 0
  private(set) var steps = 0
  /// What the detector said that the model does not know, or the other way around.
  private(set) var wrong: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let detector = findings.detector
    things = [
      .lock(WatchedLock("0", detector: detector)), .lock(WatchedLock("1", detector: detector)),
      .recursiveLock(WatchedRecursiveLock("2", detector: detector)),
      .queue(WatchedQueue("3", detector: detector)), .queue(WatchedQueue("4", detector: detector)),
      .returned(
        WatchedSemaphore("5", value: 1, discipline: .returned, detector: detector), units: 1),
      .returned(
        WatchedSemaphore("6", value: 2, discipline: .returned, detector: detector), units: 2),
      .promised(WatchedSemaphore("7", value: 0, discipline: .promised, detector: detector)),
      .group(WatchedGroup("8", detector: detector)),
    ]
    states = things.map { _ in State() }
    actors = (0..<5).map { _ in Actor() }
    bodies = actors.map { _ in [] }
    workers = actors.enumerated().map { number, actor in Worker("w\(number)") { actor.serve() } }
  }

  /// Takes so many steps, and then gives everything back.
  func run(_ count: Int) {
    while steps < count, wrong.isEmpty { step() }
    while wrong.isEmpty, let actor = (0..<5).first(where: { waiting[$0] == nil && hasAnything($0) })
    {
      giveBack(by: actor)
    }
    guard wrong.isEmpty else { return }
    if !waiting.isEmpty { note("\(waiting) wait though nobody has anything") }
    let told = findings.all.filter { $0.kind != .lockOrderInversion }.count
    if told != deadlocks { note("\(deadlocks) deadlocks, and \(told) findings") }
    for actor in actors { actor.tell(nil) }
    for worker in workers { worker.join() }
  }

  private func note(_ text: String) { wrong.append("step \(steps): \(text)") }

  // MARK: The steps

  private func step() {
    guard let actor = (0..<5).filter({ waiting[$0] == nil }).randomElement(using: &random) else {
      return note("all wait")
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<11: take(things.indices.randomElement(using: &random)!, by: actor)
    case 11..<14: promise([7, 8].randomElement(using: &random)!, by: actor)
    default: if hasAnything(actor) { giveBack(by: actor) }
    }
  }

  private func take(_ number: Int, by actor: Int) {
    let isFree = isFree(number, for: actor)
    // Where two wait for units that are promised, the one who gets the first may leave the other without hope.
    if case .promised = things[number], waiting.values.contains(number) { return }
    let stuck = isFree ? [] : stuck(beside: actor, waitingFor: number)
    steps += 1
    let (thing, replies, me) = (things[number], replies, actors[actor])
    me.tell {
      let error = deadlock {
        switch thing {
        case .lock(let lock): try lock.lockOrThrow()
        case .recursiveLock(let lock): try lock.lockOrThrow()
        case .returned(let semaphore, _): try semaphore.waitOrThrow()
        case .promised(let semaphore): try semaphore.waitOrThrow()
        case .group(let group): try group.waitOrThrow()
        case .queue(let queue):
          try queue.syncOrThrow {
            replies { $0.append(.took(actor, thing: number)) }
            me.serve()
          }
          replies { $0.append(.done(actor)) }
          return
        }
        replies { $0.append(.took(actor, thing: number)) }
      }
      if let error { replies { $0.append(.refused(actor, error.finding)) } }
    }
    if !isFree, !stuck.contains(actor) {
      waiting[actor] = number
      settle(replies: 0)
      return
    }
    guard let reply = settle(replies: 1, isRefused: !isFree).first else { return }
    switch reply {
    case .took(actor, number) where isFree: have(number, by: actor)
    case .refused(actor, let finding) where !isFree:
      deadlocks += 1
      let members = Set(finding.names.compactMap { Int($0.dropFirst()) })
      if !members.isSubset(of: stuck) || !members.contains(actor) || !finding.isConfirmed {
        note("\(stuck) are stuck, and it is said: \(finding)")
      }
    default: note("w\(actor) takes \(number), \(isFree ? "free" : "stuck: \(stuck)"): \(reply)")
    }
  }

  private func promise(_ number: Int, by actor: Int) {
    steps += 1
    let made = Guarded<Promise?>(nil)
    let (thing, replies) = (things[number], replies)
    actors[actor].tell {
      let promise =
        switch thing {
        case .promised(let semaphore): semaphore.promise()
        case .group(let group): group.promise()
        default: preconditionFailure("nobody can promise that")
        }
      promise.own()
      made { $0 = promise }
      replies { $0.append(.done(actor)) }
    }
    settle(replies: 1)
    states[number].debts.append((actor, made { $0! }))
  }

  private func hasAnything(_ actor: Int) -> Bool {
    states.contains { $0.holders.contains(actor) || $0.debts.contains { $0.owner == actor } }
  }

  /// Gives one thing back, or keeps one promise.
  private func giveBack(by actor: Int) {
    let candidates = things.indices.filter { number in
      if case .queue = things[number] { return bodies[actor].last == number }
      return states[number].holders.contains(actor)
        || states[number].debts.contains { $0.owner == actor }
    }
    // What it has beside is below the body of a queue.
    let number = candidates.randomElement(using: &random)!
    steps += 1
    let replies = replies
    var free = waiting.filter { $0.value == number }.map(\.key)
    if let index = states[number].debts.firstIndex(where: { $0.owner == actor }) {
      let promise = states[number].debts.remove(at: index).promise
      actors[actor].tell {
        promise.keep()
        replies { $0.append(.done(actor)) }
      }
      if case .promised = things[number] {
        states[number].available += 1
        free = Array(free.prefix(1))
      } else if !states[number].debts.isEmpty {
        free = []
      }
    } else {
      let last = states[number].holders.lastIndex(of: actor)!
      states[number].holders.remove(at: last)
      // Others wait for a recursive lock until it was given back as often as it was taken.
      free =
        states[number].holders.contains(actor) && !isSemaphore(number) ? [] : Array(free.prefix(1))
      if case .queue = things[number] {
        bodies[actor].removeLast()
        actors[actor].tell(nil)
      } else {
        let thing = things[number]
        actors[actor].tell {
          switch thing {
          case .lock(let lock): lock.unlock()
          case .recursiveLock(let lock): lock.unlock()
          case .returned(let semaphore, _): semaphore.signal()
          default: preconditionFailure("nobody has taken that")
          }
          replies { $0.append(.done(actor)) }
        }
      }
    }
    // Which of those who wait goes on is the system's choice.
    for reply in settle(replies: 1 + free.count, goingOn: free.count) {
      switch reply {
      case .done(actor): break
      case .took(let other, number) where waiting[other] == number:
        waiting[other] = nil
        have(number, by: other)
      default: note("w\(actor) gave \(number) back: \(reply)")
      }
    }
  }

  private func have(_ number: Int, by actor: Int) {
    switch things[number] {
    case .group: break
    case .promised: states[number].available -= 1
    case .queue:
      bodies[actor].append(number)
      states[number].holders.append(actor)
    default: states[number].holders.append(actor)
    }
  }

  /// Waits for replies, and until as many wait as the model says.
  ///
  /// - Parameters:
  ///   - expected: How many replies.
  ///   - count: How many of those who wait will have gone on.
  ///   - isRefused: Whether the reply is that a wait is refused, so that it is not drawn for a moment either.
  @discardableResult
  private func settle(
    replies expected: Int, goingOn count: Int = 0, isRefused: Bool = false
  ) -> [Reply] {
    let blocked = waiting.count - count
    while true {
      let replies = replies { $0 }
      let drawn = findings.detector.waitCount
      if replies.count == expected, drawn == blocked { break }
      if replies.count > expected || isRefused && drawn > blocked {
        note("\(expected) replies expected, \(replies); \(blocked) wait, \(drawn) drawn")
        break
      }
      sched_yield()
    }
    return replies { replies in
      defer { replies = [] }
      return replies
    }
  }

  // MARK: The model

  private func isSemaphore(_ number: Int) -> Bool {
    if case .returned = things[number] { true } else { false }
  }

  private func isFree(_ number: Int, for actor: Int) -> Bool {
    let state = states[number]
    return switch things[number] {
    case .lock, .queue: state.holders.isEmpty
    case .recursiveLock: state.holders.allSatisfy { $0 == actor }
    case .returned(_, let units): state.holders.count < units
    case .promised: state.available > 0
    case .group: state.debts.isEmpty
    }
  }

  /// Those who could never go on, if one more waited.
  private func stuck(beside actor: Int, waitingFor number: Int) -> Set<Int> {
    var waiting = waiting
    waiting[actor] = number
    var stuck = Set(waiting.keys)
    while true {
      let free = stuck.filter { party in
        let number = waiting[party]!
        let owners = states[number].debts.map(\.owner)
        return switch things[number] {
        case .group: !owners.contains(where: stuck.contains)
        case .promised: owners.contains { !stuck.contains($0) }
        default: states[number].holders.contains { !stuck.contains($0) }
        }
      }
      if free.isEmpty { return stuck }
      stuck.subtract(free)
    }
  }
}
